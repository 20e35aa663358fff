import { createLogUpdate } from 'log-update'
import type { Clock } from '../../src/core/clock.ts'
import { printableLines } from '../../src/core/disk/text.ts'
import { counted, formatBytes, formatDuration, grouped } from '../../src/core/text/counts.ts'

/** Progress of a long work, in its unit. */
export type MeterState = {
  /** Name of the work, such as 'fetch thetadata'. */
  readonly what: string
  /** 'bytes', or the plural of what is counted, such as 'sessions'. */
  readonly unit: string
  readonly done: number
  readonly total: number
  /** True where the total is an estimate; false by default. */
  readonly isAbout?: boolean
  /** True where its parts take unequal times: the first quarter has no time left; false by default. */
  readonly isUneven?: boolean
  /** Further text, such as '3 of 14 files'. */
  readonly note?: string
}

/** The bar of one work on a terminal; elsewhere a line a minute at most. */
export type Meter = { readonly update: (changes: Partial<MeterState>) => void }

/** Shows the progress of long work: one line a step, with its duration. */
export type Progress = {
  readonly say: (line: string) => void
  /** Runs a step and prints its duration. */
  readonly step: <T>(what: string, work: () => Promise<T>) => Promise<T>
  /** Runs a work whose progress is known, one at a time. */
  readonly meter: <T>(
    state: Omit<MeterState, 'done'>,
    work: (meter: Meter) => Promise<T>,
  ) => Promise<T>
}

export type ProgressOutput = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean
  /** Width of a terminal, in columns. */
  readonly columns?: number
}

/** Shortest time between two drawings of a bar: a faster one only flickers. */
const DRAW_EVERY_MS = 100
/** Interval at which a bar is drawn without a change: its time left goes on. */
const TICK_MS = 1_000
const WIDTH_DEFAULT = 80
/** Share from which the time left of unequal parts is worth a line. */
const UNEVEN_SHARE = 0.25
/** Shortest time between two lines of an output that is no terminal. */
const LINE_EVERY_MS = 60_000

/**
 * Progress on an output. On a terminal the running step shows before it is done, and a meter is a
 * bar below the lines; it has no colours, and never hides the cursor, so nothing has to be restored
 * when the process is stopped. `terminal`: the kind of terminal; a dumb one cannot draw again.
 */
export function progressOn(output: ProgressOutput, clock: Clock, terminal?: string): Progress {
  const isDrawn = output.isTTY === true && terminal !== 'dumb'
  let shown: Display | null = null
  let isStepOpen = false
  let writtenAtMs = clock.nowMs()
  const say = (line: string) => {
    writtenAtMs = clock.nowMs()
    const write = () => output.write(`${line}\n`)
    if (shown) shown.writeAbove(write)
    else write()
  }
  const sayAtMost = (line: string) => {
    if (clock.nowMs() - writtenAtMs >= LINE_EVERY_MS) say(line)
  }
  return {
    say: line => say(printableLines(line)),
    step: async (what, work) => {
      const isAlone = output.isTTY === true && shown === null
      isStepOpen = isAlone
      if (isAlone) output.write(`  ${what} ...`)
      shown?.meter.update({ note: what })
      const startedAtMs = clock.nowMs()
      const result = await work()
      isStepOpen = false
      const seconds = ((clock.nowMs() - startedAtMs) / 1000).toFixed(1)
      say(`${isAlone ? '\r' : ''}  ${what.padEnd(44)} ${seconds.padStart(6)} s`)
      return result
    },
    meter: async (state, work) => {
      if (!isDrawn) return work(openLines(sayAtMost, clock, state))
      if (isStepOpen) output.write('\n')
      const bar = openBar(output, clock, state)
      shown = bar
      try {
        return await work(bar.meter)
      } finally {
        shown = null
        bar.end()
      }
    },
  }
}

/** Prints nothing. */
export const silent: Progress = {
  say: () => {},
  step: (_, work) => work(),
  meter: (_, work) => work({ update: () => {} }),
}

/** A bar on a terminal. */
type Display = {
  readonly meter: Meter
  readonly writeAbove: (write: () => void) => void
  /** Removes it. */
  readonly end: () => void
}

function openBar(output: ProgressOutput, clock: Clock, start: Omit<MeterState, 'done'>): Display {
  // a terminal that does not say how wide it is says 0
  const width = () => output.columns || WIDTH_DEFAULT
  const stream = {
    isTTY: true,
    write: output.write.bind(output),
    get columns() {
      return width()
    },
  }
  const draw = createLogUpdate(stream as unknown as NodeJS.WriteStream, { showCursor: true })
  const startedAtMs = clock.nowMs()
  let state: MeterState = { ...start, done: 0 }
  let drawnAtMs = Number.NEGATIVE_INFINITY
  const show = () => {
    drawnAtMs = clock.nowMs()
    // the last column stays free: some terminals break the line there
    draw(formatMeter(state, drawnAtMs - startedAtMs, width() - 1))
  }
  show()
  const timer = setInterval(show, TICK_MS).unref()
  return {
    meter: {
      update: changes => {
        state = { ...state, ...changes }
        if (clock.nowMs() - drawnAtMs >= DRAW_EVERY_MS) show()
      },
    },
    end: () => {
      clearInterval(timer)
      draw.clear()
      draw.done()
    },
    writeAbove: write => {
      draw.clear()
      write()
      show()
    },
  }
}

function openLines(
  say: (line: string) => void,
  clock: Clock,
  start: Omit<MeterState, 'done'>,
): Meter {
  const startedAtMs = clock.nowMs()
  let state: MeterState = { ...start, done: 0 }
  return {
    update: changes => {
      state = { ...state, ...changes }
      say(`  ${state.what}: ${listTexts(state, clock.nowMs() - startedAtMs).join(', ')}`)
    },
  }
}

/** Share that is done, from 0 to 1; all of an estimate counts as done only at the end. */
function shareDone({ done, total, isAbout = false }: MeterState): number {
  if (total <= 0) return 0
  return Math.min(done / total, isAbout ? 0.99 : 1)
}

/** Formats an estimated time, without tenths of a second. */
const formatWait = (ms: number): string => formatDuration(ms).replace(/\.\d s$/, ' s')

/** Texts of a state: the more important ones first. */
function listTexts(state: MeterState, elapsedMs: number): string[] {
  const { done, total, unit, isAbout = false, isUneven = false, note } = state
  const share = shareDone(state)
  const isBytes = unit === 'bytes'
  const about = isAbout ? 'about ' : ''
  const count = isBytes
    ? `${formatBytes(done)} of ${about}${formatBytes(total)}`
    : `${grouped(done)} of ${about}${counted(total, unit.replace(/s$/, ''), unit)}`
  const isKnown = share > (isUneven ? UNEVEN_SHARE : 0) && share < 1
  const leftMs = isKnown ? (elapsedMs * (1 - share)) / share : null
  const left = leftMs === null ? [] : [`about ${formatWait(leftMs)} left`]
  const hasRate = isBytes && done > 0 && elapsedMs > 0
  return [
    `${Math.floor(share * 100)} %`,
    ...left,
    count,
    ...(note === undefined ? [] : [note]),
    ...(hasRate ? [`${formatBytes((done / elapsedMs) * 1000)}/s`] : []),
  ]
}

const BAR_WIDTH_MIN = 10
const BAR_WIDTH_MAX = 20

/** One line for a terminal of a width, in columns: what does not fit is left out, the bar first. */
export function formatMeter(state: MeterState, elapsedMs: number, width: number): string {
  const texts = listTexts(state, elapsedMs)
  for (let length = texts.length; length > 0; length--) {
    const rest = texts.slice(0, length).join('  ')
    const space = width - state.what.length - rest.length - 6
    if (space >= BAR_WIDTH_MIN)
      return `${state.what}  [${drawBar(shareDone(state), Math.min(space, BAR_WIDTH_MAX))}]  ${rest}`
    if (length <= 2 && width >= state.what.length + rest.length + 2) return `${state.what}  ${rest}`
  }
  return texts[0]!.slice(0, Math.max(0, width))
}

function drawBar(share: number, width: number): string {
  const filled = Math.floor(share * width)
  return '#'.repeat(filled) + '-'.repeat(width - filled)
}
