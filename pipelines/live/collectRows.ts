/** The rows of a pipe, as they come. */

export type CollectedRows = {
  /** The header, and the whole lines that have come and were not dropped. */
  readonly lines: () => readonly string[]
  /** Forgets the first lines after the header. */
  readonly drop: (count: number) => void
  /** Number of lines that were forgotten. */
  readonly leftOut: () => number
  /** True when the input has ended within a line. */
  readonly endsOpen: () => boolean
}

/** Lines as they come; half a line waits for its end. */
export function collectRows(input: NodeJS.ReadableStream): CollectedRows {
  let header: string | null = null
  let lines: string[] = []
  let dropped = 0
  let rest = ''
  let hasEnded = false
  input.setEncoding('utf8')
  input.on('end', () => {
    hasEnded = true
  })
  input.on('data', text => {
    const come = (rest + text).split('\n')
    rest = come.pop()!
    for (const line of come.map(one => one.replace(/\r$/, ''))) {
      if (line.trim() === '') continue
      if (header === null) header = line
      else lines.push(line)
    }
  })
  return {
    lines: () => (header === null ? [] : [header, ...lines]),
    drop: count => {
      lines = lines.slice(count)
      dropped += count
    },
    leftOut: () => dropped,
    endsOpen: () => hasEnded && rest.trim() !== '',
  }
}
