import type { CreditBalance, IdeaMessage, IdeaVersion, KeptIdea } from '../accounts/labTypes.ts'
import { STRUCTURE_NAMES } from './language/say.ts'
import { RuleSpec } from './language/spec.ts'

/** The rule of a kept version. */
export const specOf = ({ spec }: IdeaVersion): RuleSpec => RuleSpec.parse(JSON.parse(spec))

/** What an idea is called: its trade in a few words. */
export function nameOf({ core, more }: RuleSpec): string {
  const { action, structure, width, entry } = core
  const wide = width === undefined ? '' : ` ${width}-wide`
  const time = 'at' in entry ? entry.at : `${entry.window[0]}-${entry.window[1]}`
  const name = `${action}${wide} ${STRUCTURE_NAMES[structure]}, ${time}`
  return `${name[0]!.toUpperCase()}${name.slice(1)}${more ? ', two legs' : ''}`
}

/** An idea of the list. */
export const ideaWire = ({ id, name, stage, current, missing }: KeptIdea) => ({
  ...{ id, name, stage },
  spec: current ? specOf(current) : null,
  results: null,
  ...{ on: false, draw: 'off' as const, alert: 'off' as const },
  ...(missing.length > 0 ? { missing: [...missing] } : {}),
})

/** What an account has. */
export const balanceWire = ({ monthly, purchased }: CreditBalance) => ({
  ...{ monthly, purchased },
  total: monthly + purchased,
})

/** A message of a thread; times in UTC. */
export const messageWire = (message: IdeaMessage) => ({
  n: message.n,
  at: new Date(message.atMs).toISOString(),
  from: message.sender,
  text: message.text,
  ...(message.kind === null ? {} : { kind: message.kind }),
  ...(message.version === null ? {} : { version: message.version }),
  ...(message.ruleHash === null ? {} : { rule_hash: message.ruleHash }),
  ...(message.missing === null ? {} : { missing: [...message.missing] }),
  ...(message.errors === null ? {} : { errors: [...message.errors] }),
})
