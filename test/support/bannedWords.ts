import { readSqlTokens, readTokens, type SourceToken, selectTestNames } from './sourceTokens.ts'

/** Words that the code does not use, each with the field's own. */
export const BANNED_WORDS: Readonly<Record<string, string>> = {
  told: 'reported, sent, given',
  tells: 'reports, sends, shows',
  telling: 'reporting, sending',
  said: 'reported, stated',
  retell: 'repeat',
  desk: 'request scheduler, idea monitor',
  lane: 'queue',
  lanes: 'queues',
  flight: 'in-flight request',
  flights: 'in-flight requests',
  room: 'capacity, free space',
  standing: 'status, current',
  pace: 'rate',
  news: 'late data, new records',
  zone: 'affected range, time zone',
  zones: 'affected ranges, time zones',
  doubt: 'uncertainty, standard deviation',
  doubts: 'uncertainties',
  moment: 'instant, as-of time',
  lives: 'lifecycles',
  kept: 'stored, cached, retained',
  sound: 'verified, valid',
  asked: 'requested',
  asker: 'caller',
  askers: 'callers',
  answer: 'response, result',
  answers: 'responses, returns',
  answered: 'served, returned',
  answering: 'responding',
  beside: 'next to, concurrent',
  aside: 'temporary, separate',
  hook: 'webhook endpoint',
  hooks: 'webhook endpoints',
  tries: 'attempts',
  anew: 'again',
}

/** Whole phrases and names that hold such a word in the field's own sense. */
const IN_THE_FIELD = [
  /\bin[- ]flight\b/gi,
  /inFlight/gi,
  /\btime zones?\b/gi,
  /time_?zones?/gi,
  /\bhooks\.(lan|example)\b/g,
  /\bhalf-lives\b/gi,
]

type Published = { readonly word: string; readonly files: RegExp; readonly reason: string }

/** Published words, by the files that have to name them. */
export const PUBLISHED_WORDS: readonly Published[] = [
  { word: 'desk', files: /lab|idea|alerts|accounts|everyPage/i, reason: 'a stage of LAB' },
  { word: 'told', files: /^src\/alerts\/rules\//, reason: "stored in the alerts' memory" },
  { word: 'told', files: /accuracy|measure\/names/, reason: '`told_share` of accuracy.json' },
  { word: 'pace', files: /accuracy|simulate/, reason: '`pace` of accuracy.json and its option' },
  { word: 'asked', files: /bench/, reason: '`asked` of bench.json' },
  { word: 'beside', files: /bench/, reason: 'targets of bench.json' },
  { word: 'kept', files: /bench/, reason: 'rows of bench.json' },
  { word: 'asked', files: /lab/, reason: '`asked_strike` of a trade' },
  { word: 'kept', files: /status/, reason: '`not_kept`, a state of a day' },
  { word: 'answer', files: /config|accounts|lab\/store/, reason: 'a setting, and a stored column' },
  { word: 'answer', files: /queryRuns/, reason: 'the schemas `RunAnswer` and `JobAnswer`' },
  { word: 'tries', files: /accounts|outbox|jobs|lab/, reason: 'a stored column' },
  { word: 'tries', files: /resolver/, reason: 'an option of the DNS resolver' },
  { word: 'hooks', files: /outbox|html\/browser/, reason: 'a stored table; hooks of uPlot' },
  { word: 'zone', files: /lab|iso_instant|cboe_snapshot/, reason: 'the time zone of a text' },
  { word: 'zones', files: /lab/, reason: 'the time zones of a text' },
  { word: 'moment', files: /deflatedSharpe/, reason: 'a moment of a distribution' },
]

const WORD = /[a-z]+/g

/** Words of a comment, of a test name or of an identifier, in lower case. */
const listWords = (text: string): string[] =>
  IN_THE_FIELD.reduce((rest, known) => rest.replace(known, ' '), text)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(WORD) ?? []

const isPublished = (word: string, file: string) =>
  PUBLISHED_WORDS.some(each => each.word === word && each.files.test(file))

const findLine = (text: string, at: number) => text.slice(0, at).split('\n').length

const readParts = (file: string, text: string): SourceToken[] => {
  if (file.endsWith('.sql')) return readSqlTokens(text).filter(({ kind }) => kind !== 'string')
  const tokens = readTokens(text)
  const parts = tokens.filter(({ kind }) => kind === 'comment')
  const identifiers = tokens.filter(({ kind }) => kind === 'identifier')
  if (!file.startsWith('test/')) return [...parts, ...identifiers]
  // one word may be a published field that a test reads; a compound is a name of the test's own
  const own = identifiers.filter(({ text: name }) => /^[A-Za-z]*[a-z][A-Z][A-Za-z]*$/.test(name))
  return [...parts, ...selectTestNames(tokens), ...own]
}

/** Banned words of a file, each as "file:line: word: replacement". */
export function findBannedWords(file: string, text: string): string[] {
  return readParts(file, text).flatMap(part =>
    listWords(part.text)
      .filter(word => Object.hasOwn(BANNED_WORDS, word) && !isPublished(word, file))
      .map(word => `${file}:${findLine(text, part.at)}: ${word}: ${BANNED_WORDS[word]}`),
  )
}

const OPENS_WITH_QUESTION = /^(\/\*\*?|\/\/|--)\s*(\*\s*)?(What|Who|Whose|Whether)\b/

/** Comments of a file that begin with a question word, each as "file:line". */
export function findQuestions(file: string, text: string): string[] {
  const tokens = file.endsWith('.sql') ? readSqlTokens(text) : readTokens(text)
  return tokens
    .filter(({ kind, text: found }) => kind === 'comment' && OPENS_WITH_QUESTION.test(found))
    .map(({ at }) => `${file}:${findLine(text, at)}`)
}
