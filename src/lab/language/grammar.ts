/**
 * Phrases as people read them, compiled to patterns over tokens. In a phrase, words follow each
 * other; `(a|b c)` is one of several, `[x]` may be left out, `@name` is a list of synonyms,
 * `<kind>` or `<kind:name>` takes a value, and `!(x)` must not follow.
 */

/** A kind of value: the phrase that it is written as, and what it comes to. */
export type SlotKind = {
  readonly phrase: string
  /** The value of the tokens that matched; undefined when they are none after all. */
  readonly read: (text: string) => unknown
}

export type PhraseLists = {
  readonly synonyms: Readonly<Record<string, string>>
  readonly kinds: Readonly<Record<string, SlotKind>>
}

export type CompiledPhrase = {
  /** Sticky; over tokens that each have a space behind them. */
  readonly pattern: RegExp
  /** The kind of each value, by its name. */
  readonly slots: ReadonlyMap<string, SlotKind>
  /** Every word that it can match. */
  readonly words: ReadonlySet<string>
}

type Reading = {
  readonly lists: PhraseLists
  readonly slots: Map<string, SlotKind>
  readonly words: Set<string>
  /** Values inside the phrase of a kind are part of its text. */
  readonly isInner: boolean
}

/** Compiles a phrase. Fails on a list or kind that is not there, and on brackets without end. */
export function compilePhrase(phrase: string, lists: PhraseLists): CompiledPhrase {
  const reading: Reading = { lists, slots: new Map(), words: new Set(), isInner: false }
  const source = sourceOf(phrase, reading)
  return { pattern: new RegExp(source, 'y'), slots: reading.slots, words: reading.words }
}

const PARTS = new RegExp(
  [
    String.raw`\s+|(?<open>!?\(|\[)|(?<close>[)\]])|(?<or>\|)`,
    String.raw`<(?<slot>[^>]+)>|@(?<list>\w+)|#(?<raw>[^#]+)#|(?<word>[^\s()[\]|<>@#]+)`,
  ].join('|'),
  'gu',
)

/** One of several ways, with the most words that it can have. */
type Way = { readonly source: string; readonly words: number }

/**
 * The pattern of a phrase; each word stands with the space behind it. Of several ways the longest
 * is tried first: "sell" must not hide "sell to open".
 */
function sourceOf(phrase: string, reading: Reading): string {
  const parts = [...phrase.matchAll(PARTS)]
  if (parts.map(([text]) => text).join('') !== phrase) {
    throw new Error(`the phrase "${phrase}" cannot be read`)
  }
  const walk = { parts: parts.map(({ groups }) => groups!), at: 0 }
  const { source } = waysOf(walk, reading, phrase)
  if (walk.at < parts.length) fail(phrase)
  return `(?:${source})`
}

type Walk = { readonly parts: readonly Record<string, string>[]; at: number }

/** The ways up to the bracket that ends them, the longest first. */
function waysOf(walk: Walk, reading: Reading, phrase: string): Way {
  const ways: Way[] = []
  let own = { source: '', words: 0 }
  for (; walk.at < walk.parts.length; walk.at++) {
    const part = walk.parts[walk.at]!
    if (part.close) break
    if (part.or) {
      ways.push(own)
      own = { source: '', words: 0 }
      continue
    }
    const { source, words } = partOf(part, walk, reading, phrase)
    own = { source: own.source + source, words: own.words + words }
  }
  ways.push(own)
  const sorted = ways.sort((a, b) => b.words - a.words)
  return { source: sorted.map(({ source }) => source).join('|'), words: sorted[0]!.words }
}

function partOf(
  { open, slot, list, raw, word }: Record<string, string>,
  walk: Walk,
  reading: Reading,
  phrase: string,
): Way {
  if (open) {
    walk.at += 1
    const inner = waysOf(walk, reading, phrase)
    if (walk.at >= walk.parts.length) fail(phrase)
    if (open === '!(') return { source: `(?!${inner.source})`, words: 0 }
    return { source: `(?:${inner.source})${open === '[' ? '?' : ''}`, words: inner.words }
  }
  if (slot) return { source: slotSource(slot, reading), words: 2 }
  if (list) return listSource(list, reading)
  if (raw) return { source: `(?:${raw}) `, words: 1 }
  if (!word) return { source: '', words: 0 }
  reading.words.add(word)
  return { source: `${word.replace(/[.*+?^$\\]/g, '\\$&')} `, words: 1 }
}

function listSource(name: string, reading: Reading): Way {
  const synonyms = reading.lists.synonyms[name]
  if (synonyms === undefined) throw new Error(`there is no list @${name}`)
  const longest = Math.max(...synonyms.split('|').map(way => way.trim().split(/\s+/).length))
  return { source: sourceOf(synonyms, reading), words: longest }
}

function slotSource(slot: string, reading: Reading): string {
  const [kindName, name = kindName] = slot.split(':') as [string, string?]
  const kind = reading.lists.kinds[kindName]
  if (!kind) throw new Error(`there is no kind of value <${kindName}>`)
  const inner = sourceOf(kind.phrase, { ...reading, isInner: true })
  // a value that stands twice without a name is only passed over
  if (reading.isInner || (name === kindName && reading.slots.has(name))) return inner
  reading.slots.set(name, kind)
  return `(?<${name}>${inner})`
}

function fail(phrase: string): never {
  throw new Error(`the phrase "${phrase}" has a bracket without its other half`)
}

/** A kind whose values are written in several ways, such as `sell: 'sell|short'`. */
export function choiceKind<T extends string>(
  ways: Readonly<Record<T, string>>,
  lists: PhraseLists,
) {
  const compiled = (Object.entries(ways) as [T, string][]).map(
    ([value, phrase]) => [value, compilePhrase(phrase, lists).pattern] as const,
  )
  const read = (text: string): T | undefined =>
    compiled.find(([, pattern]) => {
      pattern.lastIndex = 0
      return pattern.exec(text)?.[0].length === text.length
    })?.[0]
  return { phrase: Object.values(ways).join('|'), read }
}
