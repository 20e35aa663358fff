// Sentences and talks with the meaning they should have, and how the language reads them. As a
// program: `node test/support/labCases.ts FILE [KIND]` counts, and lists those of one kind.

import { readFileSync } from 'node:fs'
import type { DialogReply } from '../../src/lab/language/dialog.ts'
import { canonicalJson, canonicalSpec, type RuleSpec } from '../../src/lab/language/spec.ts'
import { talkThrough } from './labTalk.ts'

/** Messages of one talk, and what the last of them should lead to. */
export type LabCase = {
  readonly text: readonly string[]
  readonly meant: {
    /** `spec`, `chat`, `error`, or `chat or error`. */
    readonly kind: string
    readonly spec?: RuleSpec
    readonly asks?: readonly string[]
  }
}

/** How a reply fits its case: `different` is a rule that was not meant. */
export type Verdict = 'exact' | 'proposed' | 'misproposed' | 'asked' | 'refused' | 'different'

/** Reads a file with one case in each line. */
export const readCases = (path: string): LabCase[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line))

const isMeant = (spec: RuleSpec, { meant }: LabCase): boolean =>
  meant.spec !== undefined &&
  canonicalJson(canonicalSpec(spec)) === canonicalJson(canonicalSpec(meant.spec))

/** Last reply to the messages of a case, and how it fits. */
export function judgeCase(one: LabCase): {
  readonly verdict: Verdict
  readonly response: DialogReply
} {
  const response = talkThrough(one.text).at(-1)!
  return { verdict: judge(response, one), response }
}

function judge(response: DialogReply, one: LabCase): Verdict {
  if (response.kind === 'spec') return isMeant(response.spec, one) ? 'exact' : 'different'
  if (one.meant.spec === undefined) {
    if (one.meant.kind.includes(response.kind)) return 'exact'
    return response.kind === 'chat' ? 'asked' : 'refused'
  }
  if (response.kind !== 'chat') return 'refused'
  if (!response.proposed) return 'asked'
  return isMeant(response.proposed.spec, one) ? 'proposed' : 'misproposed'
}

if (import.meta.main) {
  const [path = '', kind = ''] = process.argv.slice(2)
  const counts: Record<string, number> = {}
  for (const one of readCases(path)) {
    const { verdict, response } = judgeCase(one)
    const name = `${one.meant.kind}: ${verdict}`
    counts[name] = (counts[name] ?? 0) + 1
    if (verdict === 'exact' || !name.includes(kind)) continue
    const rule = response.kind === 'spec' ? response.spec : null
    const offered = response.kind === 'chat' ? response.proposed?.spec : null
    process.stdout.write(`${name}\n  ${one.text.join('\n  > ')}\n  SAYS ${response.say}\n`)
    const { spec, ...rest } = one.meant
    process.stdout.write(
      `  MEANT ${spec ? canonicalJson(canonicalSpec(spec)) : JSON.stringify(rest)}\n`,
    )
    if (rule ?? offered) process.stdout.write(`  READ  ${canonicalJson(rule ?? offered)}\n`)
  }
  process.stdout.write(`${JSON.stringify(counts, null, 2)}\n`)
}
