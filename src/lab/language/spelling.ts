import { LEXICON, REPAIRED } from './table.ts'
import type { Token } from './tokens.ts'

/** A word with one wrong letter, and the word of the language that it was read as. */
export type Typo = {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly as: string
}

/** Letters that a repaired word has at least: shorter ones are too near to each other. */
const LETTERS_MIN = 5

/** Words of the language by themselves and by what is left when one letter is taken out. */
const NEIGHBOURS: ReadonlyMap<string, readonly string[]> = findNeighbours()

function findNeighbours(): Map<string, string[]> {
  const neighbours = new Map<string, string[]>()
  for (const word of REPAIRED) {
    if (word.length < LETTERS_MIN || !/^[a-z]+$/.test(word)) continue
    for (const part of withoutEach(word)) {
      neighbours.set(part, [...(neighbours.get(part) ?? []), word])
    }
  }
  return neighbours
}

/** A word, and the word without each of its letters. */
function withoutEach(word: string): string[] {
  return [...new Set([word, ...[...word].map((_, at) => word.slice(0, at) + word.slice(at + 1))])]
}

/**
 * Steps between two words that share what is left without one letter: 1 when two letters are
 * swapped or one is doubled, 2 when one is another, 3 when one is missing or too many; null when they differ more,
 * or in their first letter.
 */
const withoutDoubles = (word: string): string => word.replace(/(.)\1/g, '$1')

function countSteps(word: string, other: string): 1 | 2 | 3 | null {
  const isSameStart = word[0] === other[0]
  if (word.length !== other.length) {
    if (!isSameStart) return null
    return withoutDoubles(word) === withoutDoubles(other) ? 1 : 3
  }
  const differing = [...word].flatMap((letter, at) => (letter === other[at] ? [] : [at]))
  const [first = 0, second = 0] = differing
  if (differing.length === 1) return isSameStart ? 2 : null
  const isSwapped = word[first] === other[second] && word[second] === other[first]
  return differing.length === 2 && second === first + 1 && isSwapped ? 1 : null
}

/** The one nearest word of the language; null when there is none, or more than one. */
function repairWord(word: string): string | null {
  if (word.length < LETTERS_MIN - 1 || !/^[a-z]+$/.test(word) || ORDINARY.has(word)) return null
  const near = new Set(withoutEach(word).flatMap(part => NEIGHBOURS.get(part) ?? []))
  const rows = [...near].flatMap(as => {
    const steps = countSteps(word, as)
    return steps === null ? [] : [{ as, steps }]
  })
  const fewest = Math.min(...rows.map(({ steps }) => steps))
  const [only, ...others] = rows.filter(({ steps }) => steps === fewest)
  return only && others.length === 0 ? only.as : null
}

/** Ordinary English words that are one letter from a word of the language, and mean other things. */
const ORDINARY: ReadonlySet<string> = new Set(
  (
    'abort agent along alter another base basic bellows black blow bout caller casts cause ' +
    'chance char charge chat chose clone cloned clot clown coat codes cold contact contacts ' +
    'contrast cores cost cots couldnt covert cross delays doesnt edited editing edits eighth ' +
    'ever exist existed existing exists failing fails fame fight files filler filling fills ' +
    'fist fond font forgot forth fries gain goat grained grant greek hang haven height holes ' +
    'hour late latter launch layer leads leaks leap less lest light lightly marked marker ' +
    'master means might modes monkey named need newer night older once other others ours ' +
    'packet pact pint plain plan plight pointed polling possibly press prime prince pull ' +
    'react reasonably recovery remote retained risks safe sail says seal seeking seen setting ' +
    'shaft shall shape shard share shared shark sharp sheet shells ships shirt shore shot ' +
    'shouldnt shown sight sites sizes skips smart sort sorting sorts spade spelling stack ' +
    'stain star stat stats stead steady steps stick stock stoop stops strain strange strides ' +
    'string stroke swings talking tend than thee their theme then there these thin though ' +
    'threw thus ticket tied token tower trace traced tracing trade trader traders trail train ' +
    'tree trend trust twenties upon util waist walks ward weight where wherever while white ' +
    'widow willow wines wings world wouldnt wrote'
  ).split(' '),
)

/** Endings of contractions, and the word each stands for. */
const ENDINGS: Readonly<Record<string, string>> = {
  s: 'is',
  re: 'are',
  ve: 'have',
  ll: 'will',
  d: 'would',
  m: 'am',
}

/** Subjects of a condition whose "is" may be shortened, though their plural is a word too. */
const OWNER = /^(?:wall|gap|print|order|call|put|market)['’]s$/i

/** Spells contractions out, and repairs words with one wrong letter; each of those is listed. */
export function spellOut(
  tokens: readonly Token[],
  message: string,
): { readonly tokens: readonly Token[]; readonly typos: readonly Typo[] } {
  const typos: Typo[] = []
  const isShouted = !/\p{Ll}/u.test(message)
  const spelled = tokens.flatMap((token): readonly Token[] => {
    const { from, to } = token
    if (token.text === 'theres') {
      return [
        { text: 'there', from, to },
        { text: 'is', from, to },
      ]
    }
    const written = message.slice(from, to)
    if (LEXICON.has(token.text) && !OWNER.test(written)) return [token]
    const [, base, ending = ''] = /^(\p{L}+)['’](\p{L}{1,2})$/u.exec(written) ?? []
    const rest = ENDINGS[ending.toLowerCase()]
    if (base !== undefined && rest !== undefined && LEXICON.has(base.toLowerCase())) {
      const cut = from + base.length
      return [
        { text: base.toLowerCase(), from, to: cut },
        { text: rest, from: cut, to },
      ]
    }
    // capital letters alone may be another symbol
    const as = isShouted || /\p{Ll}/u.test(written) ? repairWord(token.text) : null
    if (as === null) return [token]
    typos.push({ from, to, text: written.toLowerCase(), as })
    return [{ ...token, text: as }]
  })
  return { tokens: spelled, typos }
}
