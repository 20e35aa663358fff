import {
  type Command,
  type CommandGroup,
  DATA_OPTION,
  nameOf,
  type Option,
  optionsOf,
  rowsOf,
  wordsOf,
} from './commandRow.ts'

/** Help of commands, made of their rows. */

const WIDTH = 100
/** Width of a usage in the list of all commands. */
const LISTED_WIDTH = 33

/** Help of one command. */
export async function commandHelp(row: Command): Promise<string> {
  const { summary } = row
  const { about = wrap(`${summary[0]!.toUpperCase()}${summary.slice(1)}.`) } = row
  const text = typeof about === 'string' ? about : await about()
  const options = optionLines(optionsOf(row))
  const end = options.length > 0 ? `\n${options.join('\n')}\n` : ''
  return `${usageLines(row)}\n\n${text.trimEnd()}\n${end}`
}

/** Help of commands whose names begin alike: each with its work, and all of their options. */
export function groupHelp(entry: CommandGroup): string {
  const { name, about = '' } = entry
  const commands = rowsOf(entry)
  const width = Math.max(...commands.map(({ line }) => line.length).filter(length => length < 45))
  const lines = commands.map(({ line, summary }) =>
    hanging(`  ${line.length > width ? line.padEnd(width + 2) : line}`, width + 4, summary),
  )
  const verbs = new Set(commands.map(row => nameOf(row).split(' ')[1]))
  const usage = `usage: tapefold ${name} ${[...verbs].join('|')} ... [--data DIR]`
  const parts = [usage, about, lines.join('\n'), optionLines(sharedOptions(commands)).join('\n')]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

/** Options of several commands; one that not all of them take names those that do. */
function sharedOptions(commands: readonly Command[]): Option[] {
  const all = commands.flatMap(row => optionsOf(row).map(option => ({ row, option })))
  const byText = Map.groupBy(all, ({ option }) => `${option.name} ${option.text}`)
  return [...byText.values()].map(takers => {
    const { option } = takers[0]!
    const names = takers.map(({ row }) => nameOf(row).split(' ').slice(1).join(' '))
    if (names.length === commands.length) return option
    return { ...option, text: `${names.join(', ')}: ${option.text}` }
  })
}

/** Lines of a command, or of a group, in the list of all: usages, as far as they fit, and the work. */
export function listLines(entry: Command | CommandGroup): readonly ListLine[] {
  if (!('commands' in entry))
    return [[fitUsage(entry.line, optionsOf(entry).map(bracketed)), entry.summary]]
  const { name, summary, commands } = entry
  if (typeof summary !== 'string') return summary
  const [first, ...verbs] = new Set(commands.map(row => nameOf(row).split(' ')[1]!))
  return [[`${fitUsage(`${name} ${first}`, verbs, '|')} ...`, summary]]
}

type ListLine = readonly [usage: string, work: string]

/** A usage with as many of its parts as fit. */
function fitUsage(start: string, parts: readonly string[], separator = ' '): string {
  let usage = start
  const rest = [...parts]
  while (rest.length > 0 && `${usage}${separator}${rest[0]} ...`.length <= LISTED_WIDTH) {
    usage += `${separator}${rest.shift()}`
  }
  return rest.length > 0 && separator === ' ' ? `${usage} ...` : usage
}

/** The lines of the list of all commands. */
export const listText = (rows: readonly ListLine[]): string =>
  rows.map(([usage, work]) => `  ${usage.padEnd(LISTED_WIDTH)} ${work}`).join('\n')

const optionHead = ({ name, takes, isMany }: Option): string =>
  takes === null ? `--${name}` : `--${name} ${isMany ? takes.slice(0, -3) : takes}`

const bracketed = (option: Option): string => `[${optionHead(option)}]${option.isMany ? '...' : ''}`

function usageLines(row: Command): string {
  const start = `usage: tapefold ${nameOf(row)}`
  const parts = [...wordsOf(row), ...[...optionsOf(row), ...DATA_OPTION].map(bracketed)]
  // an option is never apart from its value
  const bound = parts.map(part => part.replaceAll(' ', '\u00a0')).join(' ')
  return hanging(start, start.length + 1, bound).replaceAll('\u00a0', ' ')
}

/** Lines of options, with their texts side by side. */
function optionLines(options: readonly Option[]): string[] {
  const indent = Math.max(...options.map(option => optionHead(option).length)) + 4
  return options.map(option => {
    const { fallback, text } = option
    const isNamed = fallback === undefined || text.includes(`(${fallback}`)
    return hanging(`  ${optionHead(option)}`, indent, isNamed ? text : `${text} (${fallback})`)
  })
}

const wrap = (text: string): string => hanging('', 1, text).replace(/^ /gm, '')

/** A head, and a text next to it whose lines all begin at the same column. */
function hanging(head: string, indent: number, text: string): string {
  const lines = head.length < indent ? [head.padEnd(indent - 1)] : [head, ' '.repeat(indent - 1)]
  for (const word of text.split(/[ \n]+/)) {
    if (`${lines.at(-1)} ${word}`.length > WIDTH) lines.push(' '.repeat(indent - 1))
    lines[lines.length - 1] += ` ${word}`
  }
  return lines.map(line => line.trimEnd()).join('\n')
}
