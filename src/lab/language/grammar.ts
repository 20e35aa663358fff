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

/** The pattern of a phrase; each word stands with the space behind it. */
function sourceOf(phrase: string, reading: Reading): string {
  let source = '(?:'
  const ends: string[] = []
  let seen = 0
  for (const part of phrase.matchAll(PARTS)) {
    if (part.index !== seen) throw new Error(`the phrase "${phrase}" cannot be read at ${seen}`)
    seen = part.index + part[0].length
    const { open, close, or, slot, list, raw, word } = part.groups!
    if (open) {
      source += open === '!(' ? '(?!' : '(?:'
      ends.push(open === '[' ? ')?' : ')')
    } else if (close) source += ends.pop() ?? fail(phrase)
    else if (or) source += '|'
    else if (slot) source += slotSource(slot, reading)
    else if (list) source += listSource(list, reading)
    else if (raw) source += `(?:${raw}) `
    else if (word) {
      reading.words.add(word)
      source += `${word.replace(/[.*+?^$\\]/g, '\\$&')} `
    }
  }
  if (ends.length > 0 || seen !== phrase.length) fail(phrase)
  return `${source})`
}

function listSource(name: string, reading: Reading): string {
  const synonyms = reading.lists.synonyms[name]
  if (synonyms === undefined) throw new Error(`there is no list @${name}`)
  return sourceOf(synonyms, reading)
}

function slotSource(slot: string, reading: Reading): string {
  const [kindName, name = kindName] = slot.split(':') as [string, string?]
  const kind = reading.lists.kinds[kindName]
  if (!kind) throw new Error(`there is no kind of value <${kindName}>`)
  const inner = sourceOf(kind.phrase, { ...reading, isInner: true })
  if (reading.isInner) return inner
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
