// Sentences and talks with the meaning they should have, and how the language reads them. As a
// program: `node test/support/labCases.ts FILE [KIND]` counts the sentences of a file, and lists
// those that are not exact, or those of one kind.

import { readFileSync } from 'node:fs'
import type { DialogReply } from '../../src/lab/language/dialog.ts'
import { canonicalJson, canonicalSpec, type RuleSpec } from '../../src/lab/language/spec.ts'
import { talkThrough } from './labTalk.ts'

/** Messages of one talk, and what the last of them should lead to. */
export type LabCase = {
  readonly text: readonly string[]
  readonly meant: {
    /** `spec`, `chat`, `error`, or two of them: `chat or error`. */
    readonly kind: string
    readonly spec?: RuleSpec
    readonly asks?: readonly string[]
  }
}

/** A talk, with what each of its messages should lead to. */
export type LabTalk = {
  readonly about: string
  readonly turns: readonly {
    readonly say: string
    readonly meant: {
      /** As of a case; `proposal` is a question with a rule to agree to. */
      readonly kind: string
      /** Rules of which any is right. */
      readonly specs?: readonly RuleSpec[]
      readonly asks?: string
    }
  }[]
}

/** How a reply fits its case: `different` is a rule that was not meant. */
export type Verdict = 'exact' | 'proposed' | 'misproposed' | 'asked' | 'refused' | 'different'

/** Reads a file with one case or talk in each line. */
export const readCases = <T = LabCase>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line))

const isSame = (one: RuleSpec, other: RuleSpec | undefined): boolean =>
  other !== undefined && canonicalJson(canonicalSpec(one)) === canonicalJson(canonicalSpec(other))

/** Last reply to the messages of a case, and how it fits. */
export function judgeCase(one: LabCase): {
  readonly verdict: Verdict
  readonly response: DialogReply
} {
  const response = talkThrough(one.text).at(-1)!
  return { verdict: judge(response, one), response }
}

function judge(response: DialogReply, { meant }: LabCase): Verdict {
  if (response.kind === 'spec') return isSame(response.spec, meant.spec) ? 'exact' : 'different'
  if (meant.spec === undefined) {
    if (meant.kind.includes(response.kind)) return 'exact'
    return response.kind === 'chat' ? 'asked' : 'refused'
  }
  if (response.kind !== 'chat') return 'refused'
  if (!response.proposed) return 'asked'
  return isSame(response.proposed.spec, meant.spec) ? 'proposed' : 'misproposed'
}

/** The first message of a talk whose reply does not fit, with that reply; null when all fit. */
export function findMisfit({ turns }: LabTalk): string | null {
  const responses = talkThrough(turns.map(({ say }) => say))
  const index = turns.findIndex(({ meant }, at) => !isFit(responses[at]!, meant))
  if (index < 0) return null
  const response = responses[index]!
  return `${turns[index]!.say}: ${response.kind} ${response.say}`
}

function isFit(
  response: DialogReply,
  { kind, specs = [], asks }: LabTalk['turns'][number]['meant'],
): boolean {
  const kinds = kind.split(' or ')
  const isOne = (spec: RuleSpec) => specs.length === 0 || specs.some(meant => isSame(spec, meant))
  if (response.kind === 'spec') return kinds.includes('spec') && isOne(response.spec)
  // back to the rule before, which the next message changes
  if (response.kind === 'undo') return kinds.includes('spec')
  if (response.kind === 'error') return kinds.includes('error')
  const { missing, proposed } = response
  if (proposed && kinds.includes('proposal') && isOne(proposed.spec)) return true
  if (!kinds.includes('chat')) return false
  return asks === undefined || missing.some(({ slot }) => slot === asks)
}

if (import.meta.main) {
  const [path = '', kind = ''] = process.argv.slice(2)
  const counts: Record<string, number> = {}
  for (const one of readCases(path)) {
    const { verdict, response } = judgeCase(one)
    const name = `${one.meant.kind}: ${verdict}`
    counts[name] = (counts[name] ?? 0) + 1
    if (verdict === 'exact' || !name.includes(kind)) continue
    const { spec, ...rest } = one.meant
    const meant = spec ? canonicalSpec(spec) : rest
    const lines = [name, ...one.text, response.say, `meant ${canonicalJson(meant)}`]
    process.stdout.write(`${lines.join('\n  ')}\n`)
  }
  process.stdout.write(`${JSON.stringify(counts, null, 2)}\n`)
}
