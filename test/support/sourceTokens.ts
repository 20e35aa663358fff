/** Comments, strings and identifiers of TypeScript and SQL, each where it stands in its file. */

export interface SourceToken {
  readonly kind: 'comment' | 'string' | 'identifier' | 'other'
  readonly text: string
  readonly at: number
}

const SPACE = /\s+/y
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y
const IDENTIFIER = /#?[A-Za-z_$][\w$]*/y
const NUMBER = /\d[\w.]*/y
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y

/** Words after which a slash begins a pattern and does not divide. */
const BEFORE_PATTERN = /^(return|typeof|case|in|of|await|yield|throw|void|delete|else|new)$/

/** Reads the tokens of TypeScript; a template is one string, followed by what it embeds. */
export function readTokens(text: string, from = 0, until = text.length): SourceToken[] {
  const tokens: SourceToken[] = []
  let at = from
  let isValueBefore = false
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  const add = (kind: SourceToken['kind'], found: string, isValue: boolean) => {
    tokens.push({ kind, text: found, at })
    at += found.length
    isValueBefore = isValue
  }
  while (at < until) {
    at += take(SPACE)?.length ?? 0
    if (at >= until) break
    const comment = take(COMMENT)
    const found = comment ?? take(STRING) ?? take(IDENTIFIER) ?? take(NUMBER)
    if (comment !== undefined) add('comment', comment, isValueBefore)
    else if (found === undefined && text[at] === '`') {
      const { end, embedded } = readTemplate(text, at)
      add('string', text.slice(at, end), true)
      for (const [start, stop] of embedded) tokens.push(...readTokens(text, start, stop))
    } else if (found === undefined) {
      const pattern = isValueBefore ? undefined : take(PATTERN)
      if (pattern === undefined) add('other', text[at]!, /[)\]}]/.test(text[at]!))
      else add('other', pattern, true)
    } else if (/^['"]/.test(found)) add('string', found, true)
    else if (/^\d/.test(found)) add('other', found, true)
    else add('identifier', found, !BEFORE_PATTERN.test(found))
  }
  return tokens
}

/** End of the template that begins at `start`, and the ranges of the code that it embeds. */
function readTemplate(text: string, start: number) {
  const embedded: (readonly [number, number])[] = []
  let at = start + 1
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') at += 2
    else if (text.startsWith('${', at)) {
      const end = findBrace(text, at + 2)
      embedded.push([at + 2, end])
      at = end + 1
    } else at += 1
  }
  return { end: at + 1, embedded }
}

/** Index of the brace that closes the code which begins at `start`. */
function findBrace(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '`') at = readTemplate(text, at).end - 1
    else if (text[at] === "'") at = text.indexOf("'", at + 1)
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}') {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return text.length
}

const SQL_TOKEN = /(--[^\n]*)|('(?:[^']|'')*')|([A-Za-z_]\w*)/g

/** Reads the tokens of SQL. */
export function readSqlTokens(text: string): SourceToken[] {
  return [...text.matchAll(SQL_TOKEN)].map(({ 0: found, 1: comment, 2: string, index }) => {
    if (comment !== undefined) return { kind: 'comment', text: found, at: index }
    return { kind: string === undefined ? 'identifier' : 'string', text: found, at: index }
  })
}

/** Names of tests among the tokens: the strings that `test`, `it` and `describe` are called with. */
export function selectTestNames(tokens: readonly SourceToken[]): SourceToken[] {
  return tokens.filter(({ kind }, index) => {
    if (kind !== 'string' || tokens[index - 1]?.text !== '(') return false
    // test('…'), test.skipIf(…)('…') and test.each([…])('…')
    let before = index - 2
    if (tokens[before]?.text === ')') before = findOpening(tokens, before) - 1
    while (tokens[before - 1]?.text === '.') before -= 2
    return /^(test|it|describe)$/.test(tokens[before]?.text ?? '')
  })
}

/** Index of the parenthesis that the one at `closing` closes. */
function findOpening(tokens: readonly SourceToken[], closing: number): number {
  let depth = 0
  for (let index = closing; index >= 0; index -= 1) {
    if (tokens[index]!.text === ')') depth += 1
    if (tokens[index]!.text === '(') depth -= 1
    if (depth === 0) return index
  }
  return -1
}
