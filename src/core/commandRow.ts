import { parseArgs } from 'node:util'
import { UsageError } from './command.ts'
import { isPort } from './text/values.ts'

/** Commands as rows of a table: parsing, refusals, help and docs follow from the row. */

/** Parses a value; fails with a UsageError that names the option, the value and a good one. */
export type Parse<Value> = (text: string, option: string) => Value

/** The value of an option: its parser, and its text where it is left out. */
type OptionValue = string | Parse<unknown> | WithFallback<unknown>
type WithFallback<Value> = { readonly parse: Parse<Value>; readonly fallback: string }

/** A value that is parsed, and a text that stands for it where it is left out. */
export const or = <Value>(parse: Parse<Value>, fallback: string): WithFallback<Value> => ({
  parse,
  fallback,
})

/** Refuses the value of an option; `good` says what to give. */
export const wrongValue = (option: string, text: string, good: string): UsageError =>
  new UsageError(`${option} is ${text}; ${good}.`)

/** Parses one of some words. */
export const oneOf =
  <const Word extends string>(words: readonly Word[], say = 'give'): Parse<Word> =>
  (text, option) => {
    const word = words.find(known => known === text)
    if (word !== undefined) return word
    throw wrongValue(option, text, `${say} ${words.join(', ')}`)
  }

/** Parses a whole number, written plainly, of a range. */
export const whole =
  (low: number, high: number, good: string): Parse<number> =>
  (text, option) => {
    const count = /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN
    if (count >= low && count <= high) return count
    throw wrongValue(option, text, good)
  }

/** Parses a number of a form, up to a maximum. */
export const numeric =
  (form: RegExp, high: number, good: string): Parse<number> =>
  (text, option) => {
    if (form.test(text) && Number(text) <= high) return Number(text)
    throw wrongValue(option, text, good)
  }

/** Parses a port. */
export const port =
  (example: number): Parse<number> =>
  (text, option) => {
    if (isPort(text)) return Number(text)
    throw wrongValue(option, text, `give a port from 0 to 65535, such as ${example}`)
  }

/** A file, with the name of the function where several commands share it. */
type WorkFile = `${string}.ts` | `${string}.ts#${string}`

/** A command of the program. */
export type Command = {
  /** Its name in lower case and its words, such as 'build DAY...' or 'minute [DAY]'. */
  readonly line: string
  /** Its work, on one line of a list. */
  readonly summary: string
  /** The help between its first line and its options, where the summary does not say it all. */
  readonly about?: string | (() => Promise<string>)
  /** Names of its words, with an example, where those of `WORDS` are not enough. */
  readonly takes?: string
  /** Texts of its options: 'json' is a flag, 'port N' has a value, 'fetch SOURCE...' many. */
  readonly options?: Readonly<Record<string, string>>
  /** Values of its options that are not plain texts, or are never left out. */
  readonly values?: Readonly<Record<string, OptionValue>>
  /** File of its function, `webhookSaveCommand` for 'webhook save', which is loaded when it is called. */
  readonly work?: WorkFile
  /** True when it works in the process of the command line, not in a child process of its own. */
  readonly isHere?: true
}

/** Commands whose names begin alike, such as those of `webhook`. */
export type CommandGroup = {
  readonly name: string
  /** Their work, on one line of the list of all commands, or on several with their usages. */
  readonly summary: string | readonly (readonly [usage: string, work: string])[]
  readonly about?: string
  /** Options that all of them take, behind those of each. */
  readonly options?: Readonly<Record<string, string>>
  /** File of those that name none. */
  readonly work?: WorkFile
  /** True when all work in the process of the command line. */
  readonly isHere?: true
  readonly commands: readonly Command[]
}

/** Returns a row, with the types of its words and options. */
export const command = <const Row extends Command>(row: Row): Row => row
export const group = <const Rows extends CommandGroup>(rows: Rows): Rows => rows

type Word<Text extends string> =
  Text extends Lowercase<Text>
    ? []
    : Text extends `[${string}...]`
      ? string[]
      : Text extends `${string}...`
        ? [string, ...string[]]
        : Text extends `[${string}]`
          ? [string?]
          : [string]

type Words<Line extends string> = Line extends `${infer First} ${infer Rest}`
  ? [...Word<First>, ...Words<Rest>]
  : Word<Line>

type NameOf<Key> = Key extends `${infer Name} ${string}` ? Name : Key

type ValueOf<Key, Given> = Key extends `${string} ${string}...`
  ? readonly string[]
  : Key extends `${infer Name} ${string}`
    ? Name extends keyof Given
      ? Given[Name] extends WithFallback<infer Value>
        ? Value
        : Given[Name] extends Parse<infer Value>
          ? Value | undefined
          : string
      : string | undefined
    : boolean

type RowOf<Rows, Name extends string> = Rows extends {
  readonly commands: readonly (infer Row)[]
}
  ? Extract<Row, { readonly line: Name | `${Name} ${string}` }>
  : Rows

type SharedOptions<Rows> = Rows extends { readonly options: infer Own; readonly commands: unknown }
  ? Own
  : unknown

/** Words and options given to a command; `Name` is that of a command of a group. */
export type Input<Rows, Name extends string = string> =
  RowOf<Rows, Name> extends infer Row extends Command
    ? {
        readonly [Key in keyof (Row['options'] & SharedOptions<Rows>) as NameOf<Key> &
          string]: ValueOf<Key, Row['values']>
      } & {
        readonly name: string
        readonly words: Readonly<Words<Row['line']>>
        readonly data: string
      }
    : never

/** Words of commands, each with an example. */
const WORDS: Readonly<Record<string, readonly [name: string, example: string]>> = {
  ACCOUNT: ['an account', 'acc_4fQ8sK2mZx0T'],
  ADDRESS: ['an address', 'desk@example.com'],
  CHANNEL: ['a channel', 'email'],
  CODE: ['a code', '4FQ8S-K2MZX'],
  CONTACT: ['a contact', 'con_4fQ8sK2mZx0T'],
  DAY: ['a day', '2026-10-15'],
  'DAY...': ['days', '2026-10-15'],
  EVENT: ['an event', 'evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8'],
  FILE: ['a file', 'accounts.backup'],
  ID: ['an idea', 'i_4fQ8sK2mZx0T'],
  KEY: ['a key', 'key_4fQ8sK2mZx0T'],
  KIND: ['a test', 'backtest'],
  LINE: ['a line', 'l_4fQ8sK2mZx0T'],
  PLAN: ['a plan', 'orders'],
  PRODUCT: ['a product', 'live'],
  RULE: ['a rule', 'r_4fQ8sK2mZx0T'],
  'SECTION...': ['sections', 'fold'],
  STATE: ['on or off', 'off'],
  URL: ['an address', 'https://example.com/hook'],
}

/** The words of a command, and an example: 'a day: levels 2026-10-15'. */
export function describeWords(row: Command): string {
  if (row.takes !== undefined) return row.takes
  const words = wordsOf(row).flatMap(word => {
    const described = WORDS[word.replace(/[[\]]/g, '')]
    return described ? [described] : []
  })
  const names = words.map(([name]) => name)
  const listed = [names.slice(0, -1).join(', '), names.at(-1)].filter(part => part)
  return `${listed.join(' and ')}: ${[nameOf(row), ...words.map(word => word[1])].join(' ')}`
}

const NO_FOLDER = '--data needs a folder, such as --data ./data.'

function folder(text: string): string {
  if (text !== '') return text
  throw new UsageError(NO_FOLDER)
}

/** Option of every command. */
const DATA = { options: { 'data DIR': 'the data folder' }, values: { data: or(folder, 'data') } }

/** An option of a command, as its key, its text and its value say. */
export type Option = {
  readonly name: string
  /** Name of its value; null: it is a flag. */
  readonly takes: string | null
  readonly isMany: boolean
  readonly text: string
  readonly fallback: string | undefined
  readonly parse: Parse<unknown>
}

/** The options of a command. */
export const optionsOf = ({ options = {}, values = {} }: Partial<Command>): Option[] =>
  Object.entries(options).map(([key, text]) => {
    const [name, takes = null] = key.split(' ') as [string, string?]
    const given = values[name] ?? {}
    const own: { readonly parse?: Parse<unknown>; readonly fallback?: string } =
      typeof given === 'string'
        ? { fallback: given }
        : typeof given === 'function'
          ? { parse: given as Parse<unknown> }
          : given
    const { parse = (plain: string) => plain, fallback } = own
    const isMany = takes?.endsWith('...') ?? false
    return { name, takes, isMany, text: text.replace(/\s+/g, ' '), fallback, parse }
  })

export const DATA_OPTION = optionsOf(DATA)

const isName = (word: string) => /^[a-z]+$/.test(word)

/** Name of a command: 'account product add'. */
export const nameOf = ({ line }: Pick<Command, 'line'>): string =>
  line.split(' ').filter(isName).join(' ')

/** File and name of the function that does a command. */
export function workOf(row: Command): readonly [file: string, name: string] {
  const [file, name] = row.work!.split('#') as [string, string?]
  const camel = nameOf(row).replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())
  return [file, name ?? `${camel}Command`]
}

/** The rows of an entry, with all that its group has for them. */
export function rowsOf(entry: Command | CommandGroup): readonly Command[] {
  if (!('commands' in entry)) return [entry]
  const { options, work, isHere, commands } = entry
  return commands.map(row => ({
    ...(work !== undefined && { work }),
    ...(isHere && { isHere }),
    ...row,
    options: { ...row.options, ...options },
  }))
}

/** The words that a command takes after its name, such as ['ACCOUNT', '[DAY]']. */
export const wordsOf = ({ line }: Pick<Command, 'line'>): string[] =>
  line.split(' ').filter(word => !isName(word))

/**
 * Parses the arguments behind the name of a command. Fails with a UsageError.
 */
export function readInput<Row extends Command>(row: Row, args: readonly string[]): Input<Row> {
  const options = [...optionsOf(row), ...DATA_OPTION]
  const words = wordsOf(row)
  const { values: given, positionals } = parse(row, args, {
    options: Object.fromEntries(
      options.map(({ name, takes }) => [
        name,
        { type: takes === null ? ('boolean' as const) : ('string' as const), multiple: true },
      ]),
    ),
    allowPositionals: words.length > 0,
  })
  const least = words.filter(word => !word.startsWith('[')).length
  const most = words.some(word => word.includes('...')) ? Number.POSITIVE_INFINITY : words.length
  if (positionals.length < least || positionals.length > most) {
    throw new UsageError(`${nameOf(row)} takes ${describeWords(row)}.`)
  }
  const texts = given as Readonly<Record<string, string[] | undefined>>
  const read = options.map(option => [option.name, readOption(option, texts[option.name] ?? [])])
  const input = { name: nameOf(row), words: positionals, ...Object.fromEntries(read) }
  return input as unknown as Input<Row>
}

/** Value of an option, given any number of times: the last one counts. */
function readOption({ name, takes, isMany, fallback, parse }: Option, texts: readonly string[]) {
  if (takes === null) return texts.length > 0
  if (isMany) return texts
  const text = texts.at(-1) ?? fallback
  return text === undefined ? undefined : parse(text, `--${name}`)
}

type ParseOptions = Pick<NonNullable<Parameters<typeof parseArgs>[0]>, 'options'> & {
  readonly allowPositionals: boolean
}

function parse(row: Command, args: readonly string[], options: ParseOptions) {
  try {
    return parseArgs({ args: [...args], ...options })
  } catch (error) {
    const option = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:missing|is ambiguous)/
    const { message } = error as Error
    const name = option.exec(message)?.[1]
    if (name === '--data') throw new UsageError(NO_FOLDER)
    const seen = name ? `${name} needs a value` : message.split('\n')[0]!.split('. ')[0]!
    throw new UsageError(`${seen}; see "tapefold ${nameOf(row).split(' ')[0]} --help".`)
  }
}

/**
 * Finds the command of a group that arguments name, whose words may stand behind --data. Fails with a
 * UsageError that names those that there are.
 */
export function findCommand(entry: CommandGroup, args: readonly string[]) {
  const commands = rowsOf(entry)
  const places = args.flatMap((arg, at) =>
    arg.startsWith('-') || args[at - 1] === '--data' ? [] : [at],
  )
  const given = places.map(at => args[at]!)
  const names = commands.map(row => nameOf(row).split(' '))
  const isWhole = (name: readonly string[]) => name.every((word, at) => word === given[at])
  const found = names.findIndex(isWhole)
  if (found !== -1) {
    const taken = places.slice(0, names[found]!.length)
    return { row: commands[found]!, args: args.filter((_, at) => !taken.includes(at)) }
  }
  let near = names.filter(([first]) => first === given[0])
  let depth = 1
  for (; ; depth++) {
    const nearer = near.filter(name => name[depth] === given[depth])
    if (nearer.length === 0) break
    near = nearer
  }
  const next = [...new Set(near.map(name => name[depth]!))]
  const list = `${next.slice(0, -1).join(', ')}${next.length > 1 ? ' or ' : ''}${next.at(-1)}`
  const seen = given[depth] === undefined ? '' : `, not ${given[depth]}`
  const start = near[0]!.slice(0, depth).join(' ')
  throw new UsageError(`${start} takes ${list}${seen}; see "tapefold ${given[0]} --help".`)
}
