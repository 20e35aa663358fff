import { invalid, seenAs } from '../platform/http/changeBody.ts'
import type { AddressRules } from '../platform/webhooks/address.ts'
import { CONDITIONS, LABEL_DEFAULTS, listConditions } from './catalogue.ts'
import {
  checkEntry,
  checkExtraLegs,
  checkLabel,
  checkStrike,
  checkWebhookUrl,
  namedConditions,
  noWebhookUrl,
  type Strike,
  sessionOfInput,
} from './completePosition.ts'
import { LEG_NAMES, LEGS_OF_KIND } from './kinds.ts'
import type { PositionInput } from './parseChange.ts'

/**
 * Validates an update without the position it changes. Fails with `invalid` on what is wrong for
 * any position, in the order and with the messages of `completePosition`; the rest is not judged.
 */
export function judgeAlone(input: PositionInput, rules?: AddressRules): void {
  const { kind, entry, conditions, label, alert } = input
  const session = sessionOfInput(input)
  judgeLegs(input)
  if (entry !== undefined) checkEntry(entry, session)
  namedConditions(conditions, kind)
  judgeLabel(label, kind)
  if (alert?.url != null) checkWebhookUrl(alert.url, rules)
  if (alert?.channel === 'webhook' && alert.url === null) throw noWebhookUrl()
}

function judgeLegs(input: PositionInput): void {
  const { kind, legs } = input
  if (kind !== undefined) checkExtraLegs(kind, input)
  const order = kind === undefined ? LEG_NAMES : LEGS_OF_KIND[kind]
  let below: Strike | null = null
  for (const name of order) {
    const strike = legs?.[name]
    if (strike == null) continue
    checkStrike({ name, strike, below, order })
    below = { name, strike }
  }
}

/** A count that is not sent may have any value: then only the other one is judged. */
function judgeLabel(label: PositionInput['label'], kind: PositionInput['kind']): void {
  const most = (kind === undefined ? CONDITIONS : listConditions(kind)).length
  const caution = label?.caution === null ? LABEL_DEFAULTS.caution : label?.caution
  const skip = label?.skip === null ? LABEL_DEFAULTS.skip : label?.skip
  if (caution !== undefined && skip !== undefined) {
    checkLabel({ caution, skip }, most)
    return
  }
  for (const [name, count] of Object.entries({ caution, skip })) {
    if (count === undefined || (count >= 1 && count <= most)) continue
    throw invalid(`${seenAs(`position.label.${name}`, count)}; give 1 to ${most}, such as 3.`)
  }
}
