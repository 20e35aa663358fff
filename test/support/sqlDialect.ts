/** The one way of writing SQL: where two spellings mean the same, files have the same one. */

/** Spellings of a query that differ from other files, each with its position. */
export function findDialectFaults(text: string): string[] {
  const code = findCode(text)
  const lineAt = (index: number) => code.slice(0, index).split('\n').length
  const reported = (fault: string, found: Iterable<RegExpExecArray>) =>
    [...found].map(({ index }) => `line ${lineAt(index)}: ${fault}`)
  return [
    ...reported('write "inner join"', code.matchAll(BARE_JOIN)),
    ...reported('no comma before "from"', code.matchAll(/,\s*\bfrom\b/g)),
    ...commaJoins(code).map(at => `line ${lineAt(at)}: write "cross join" instead of a comma`),
  ]
}

const KINDS = ['inner', 'left', 'right', 'full', 'outer', 'cross', 'semi', 'anti', 'asof']
const BARE_JOIN = new RegExp(String.raw`(?<!\b(?:${KINDS.join('|')})\s+)\bjoin\b`, 'g')

/** Ends of a list of tables that began at the same depth. */
const LIST_ENDS = /^(?:where|group|order|window|qualify|having|limit|select|union|except|using)\b/

/** Where tables of one list are parted by commas. */
function commaJoins(code: string): number[] {
  return [...code.matchAll(/\bfrom\b/g)].flatMap(({ index }) => {
    let depth = 0
    for (let at = index + 'from'.length; at < code.length && depth >= 0; at++) {
      const letter = code[at]!
      if ('([{'.includes(letter)) depth += 1
      else if (')]}'.includes(letter)) depth -= 1
      if (depth > 0) continue
      if (letter === ';') break
      if (letter === ',') return [at]
      if (!/\w/.test(code[at - 1]!) && LIST_ENDS.test(code.slice(at, at + 12))) break
    }
    return []
  })
}

/** The text with blanks for comments and dots for quoted words: positions stay the same. */
const findCode = (text: string): string =>
  text.replace(/--.*|'(?:[^']|'')*'|"[^"]*"/g, found =>
    found.replace(/[^\n]/g, found.startsWith('--') ? ' ' : '.'),
  )
