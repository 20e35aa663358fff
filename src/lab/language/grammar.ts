/**
 * Phrases as people read them, compiled to patterns over tokens. In a phrase, words follow each
 * other; `(a|b c)` is one of several, `[x]` may be left out, `@name` is a list of synonyms,
 * `<kind>` or `<kind:name>` takes a value, and `!(x)` must not follow.
 */

/** A kind of value: its phrase, and its parser. */
export type SlotKind = {
  readonly phrase: string
  /** Parses the matched tokens; undefined when they are no such value. */
  readonly read: (text: string) => unknown
}

export type PhraseLists = {
  readonly synonyms: Readonly<Record<string, string>>
  readonly kinds: Readonly<Record<string, SlotKind>>
}

type Slot = { readonly name: string; readonly kind: SlotKind }

export type CompiledPhrase = {
  /** Sticky; over tokens that are each followed by a space. */
  readonly pattern: RegExp
  /** Name and kind of each value, by the name of its group: other variants may have the same. */
  readonly slots: ReadonlyMap<string, Slot>
  /** Every word that it can match. */
  readonly words: ReadonlySet<string>
  readonly lead: Lead
}

/** Prefix of a raw pattern among the words of a lead. */
export const RAW = '#'

/** Tokens that a phrase can begin with, and those that can follow them. */
export type LeadGroup = {
  /** Words, and raw patterns with the prefix `RAW`. */
  readonly first: ReadonlySet<string>
  readonly second: ReadonlySet<string>
  /** True when the phrase can end after the first. */
  readonly canEnd: boolean
}

/** First two tokens of a phrase, or of a part of one, in every variant. */
export type Lead = {
  readonly groups: readonly LeadGroup[]
  /** True when it is optional. */
  readonly canBeEmpty: boolean
}

const NO_TOKENS: ReadonlySet<string> = new Set()

const oneToken = (symbol: string): Lead => ({
  groups: [{ first: new Set([symbol]), second: NO_TOKENS, canEnd: true }],
  canBeEmpty: false,
})

/** Lead of two consecutive parts. */
function followedBy(one: Lead, next: Lead): Lead {
  const groups = one.groups.map(group => {
    if (!group.canEnd) return group
    const second = new Set([group.second, ...next.groups.map(({ first }) => first)].flatMap(toList))
    return { ...group, second, canEnd: next.canBeEmpty }
  })
  return {
    groups: one.canBeEmpty ? [...groups, ...next.groups] : groups,
    canBeEmpty: one.canBeEmpty && next.canBeEmpty,
  }
}

const toList = (tokens: ReadonlySet<string>) => [...tokens]

/** Lead of one of several parts; single tokens form one group. */
function unionLeads(leads: readonly Lead[]): Lead {
  const groups = leads.flatMap(lead => lead.groups)
  const isAlone = ({ second, canEnd }: LeadGroup) => second.size === 0 && canEnd
  const alone = new Set(groups.filter(isAlone).flatMap(({ first }) => [...first]))
  const others = groups.filter(group => !isAlone(group))
  return {
    groups:
      alone.size === 0 ? others : [...others, { first: alone, second: NO_TOKENS, canEnd: true }],
    canBeEmpty: leads.some(({ canBeEmpty }) => canBeEmpty),
  }
}

type Reading = {
  readonly lists: PhraseLists
  readonly slots: Map<string, Slot>
  readonly words: Set<string>
  /** Values inside the phrase of a kind are part of its text. */
  readonly isInner: boolean
}

/** Compiles a phrase. Fails on an unknown list or kind, and on unclosed brackets. */
export function compilePhrase(phrase: string, lists: PhraseLists): CompiledPhrase {
  const reading: Reading = { lists, slots: new Map(), words: new Set(), isInner: false }
  const { source, lead } = compileWay(phrase, reading)
  return { pattern: new RegExp(source, 'y'), slots: reading.slots, words: reading.words, lead }
}

const PARTS = new RegExp(
  [
    String.raw`\s+|(?<open>!?\(|\[)|(?<close>[)\]])|(?<or>\|)`,
    String.raw`<(?<slot>[^>]+)>|@(?<list>\w+)|#(?<raw>[^#]+)#|(?<word>[^\s()[\]|<>@#]+)`,
  ].join('|'),
  'gu',
)

/** One of several variants, with its maximum number of words. */
type Way = { readonly source: string; readonly words: number; readonly lead: Lead }

const NOTHING: Way = { source: '', words: 0, lead: { groups: [], canBeEmpty: true } }

/**
 * Pattern of a phrase; each word includes its trailing space. The longest variant is matched first:
 * "sell" must not hide "sell to open".
 */
function compileWay(phrase: string, reading: Reading): Way {
  const parts = [...phrase.matchAll(PARTS)]
  if (parts.map(([text]) => text).join('') !== phrase) {
    throw new Error(`the phrase "${phrase}" cannot be read`)
  }
  const walk = { parts: parts.map(({ groups }) => groups!), at: 0 }
  const way = compileAlternatives(walk, reading, phrase)
  if (walk.at < parts.length) fail(phrase)
  return { ...way, source: `(?:${way.source})` }
}

type Walk = { readonly parts: readonly Record<string, string>[]; at: number }

/** Variants up to the closing bracket, the longest first. */
function compileAlternatives(walk: Walk, reading: Reading, phrase: string): Way {
  const ways: Way[] = []
  let own = NOTHING
  for (; walk.at < walk.parts.length; walk.at++) {
    const part = walk.parts[walk.at]!
    if (part.close) break
    if (part.or) {
      ways.push(own)
      own = NOTHING
      continue
    }
    const { source, words, lead } = compilePart(part, walk, reading, phrase)
    own = {
      source: own.source + source,
      words: own.words + words,
      lead: followedBy(own.lead, lead),
    }
  }
  ways.push(own)
  const sorted = ways.sort((a, b) => b.words - a.words)
  return {
    source: sorted.map(({ source }) => source).join('|'),
    words: sorted[0]!.words,
    lead: unionLeads(sorted.map(({ lead }) => lead)),
  }
}

function compilePart(
  { open, slot, list, raw, word }: Record<string, string>,
  walk: Walk,
  reading: Reading,
  phrase: string,
): Way {
  if (open) {
    walk.at += 1
    const inner = compileAlternatives(walk, reading, phrase)
    if (walk.at >= walk.parts.length) fail(phrase)
    if (open === '!(') return { ...NOTHING, source: `(?!${inner.source})` }
    if (open === '(') return { ...inner, source: `(?:${inner.source})` }
    const lead = { ...inner.lead, canBeEmpty: true }
    return { source: `(?:${inner.source})?`, words: inner.words, lead }
  }
  if (slot) return { ...slotWay(slot, reading), words: 2 }
  if (list) return listWay(list, reading)
  if (raw) return { source: `(?:${raw}) `, words: 1, lead: oneToken(RAW + raw) }
  if (!word) return NOTHING
  reading.words.add(word)
  const source = `${word.replace(/[.*+?^$\\]/g, '\\$&')} `
  return { source, words: 1, lead: oneToken(word) }
}

/** Parts that many phrases have, by the name of their list or kind. */
const SHARED = new WeakMap<PhraseLists, Map<string, { way: Way; words: ReadonlySet<string> }>>()

/** Compiles a list or a kind once for all phrases; its values are not captured. */
function compileShared(name: string, text: string, reading: Reading): Way {
  const parts = SHARED.get(reading.lists) ?? new Map()
  SHARED.set(reading.lists, parts)
  const part = parts.get(name) ?? compileNow(new Set())
  parts.set(name, part)
  for (const word of part.words) reading.words.add(word)
  return part.way

  function compileNow(words: Set<string>) {
    return { way: compileWay(text, { ...reading, words, isInner: true }), words }
  }
}

function listWay(name: string, reading: Reading): Way {
  const synonyms = reading.lists.synonyms[name]
  if (synonyms === undefined) throw new Error(`there is no list @${name}`)
  const longest = Math.max(...synonyms.split('|').map(way => way.trim().split(/\s+/).length))
  // values of a list belong to the phrase around it
  const hasValues = synonyms.includes('<')
  const way = hasValues
    ? compileWay(synonyms, reading)
    : compileShared(`@${name}`, synonyms, reading)
  return { ...way, words: longest }
}

function slotWay(slot: string, reading: Reading): Way {
  const [kindName, name = kindName] = slot.split(':') as [string, string?]
  const kind = reading.lists.kinds[kindName]
  if (!kind) throw new Error(`there is no kind of value <${kindName}>`)
  const inner = compileShared(`<${kindName}>`, kind.phrase, reading)
  const group = `${name}__${kindName}`
  // a second unnamed value is matched but not captured
  if (reading.isInner || (name === kindName && reading.slots.has(group))) return inner
  reading.slots.set(group, { name, kind })
  return { ...inner, source: `(?<${group}>${inner.source})` }
}

function fail(phrase: string): never {
  throw new Error(`the phrase "${phrase}" has a bracket without its other half`)
}

/** A kind whose values have several spellings, such as `sell: 'sell|short'`. */
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
