import { complete } from './complete.ts'
import { toDraft } from './draft.ts'
import { canonicalJson, canonicalSpec, type RuleExit, RuleSpec } from './spec.ts'

/** A rule in the canonical form of the language, or the reason why it is invalid. */
export type CheckedSpec =
  | { readonly spec: RuleSpec; readonly errors: null }
  | { readonly spec: null; readonly errors: readonly string[] }

/** Kinds of exit that a trade has more than once: only one of each could be meant. */
function findTwice(exits: readonly RuleExit[]): string[] {
  const kinds = exits.map(exit => Object.keys(exit)[0]!)
  const twice = kinds.filter((kind, index) => kinds.indexOf(kind) < index)
  return twice.map(kind => `two exits of the kind ${kind}; give one`)
}

/**
 * Validates a rule that did not come from a sentence, by the same rules; returns its canonical
 * form.
 */
export function checkSpec(value: unknown): CheckedSpec {
  const parsed = RuleSpec.safeParse(value)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    return {
      spec: null,
      errors: [`spec${path.length > 0 ? `.${path.join('.')}` : ''}: ${message}`],
    }
  }
  const spec = canonicalSpec(parsed.data)
  const twice = [spec, ...(spec.more ?? [])].flatMap(({ core }) => findTwice(core.exit))
  if (twice.length > 0) return { spec: null, errors: [...new Set(twice)] }
  const completed = complete(toDraft(spec))
  if (completed.kind === 'error') return { spec: null, errors: completed.errors }
  if (completed.kind === 'chat') {
    return { spec: null, errors: completed.missing.map(slot => `${slot} is missing`) }
  }
  // a rule no sentence can produce, such as a window with an event that it does not enter on
  if (canonicalJson(completed.spec) !== canonicalJson(spec)) {
    return { spec: null, errors: ['the parts of the rule do not fit together'] }
  }
  return { spec, errors: null }
}
