import { z } from 'zod'
import { flag, text, textOrNull, whole, wholeOrNull } from '../platform/http/fields.ts'
import { RuleSpec } from './language/spec.ts'
import { LabResult } from './result.ts'
import { IDEA_ALERTS, IDEA_DRAWS, LabIdea, LabJob, LabState } from './schema.ts'

/** Bodies of tests of ideas, for validation, OpenAPI and tests. */

const ideaId = z
  .string()
  .meta({ description: 'An idea of the account.', example: 'i_4fQ8sK2mZx0T' })

export const AssumeInput = z
  .strictObject({
    delay_min: z.int().min(0).max(30).optional(),
    spread_factor: z.number().min(0).max(5).optional(),
    fee_usd: z.number().min(0).max(50).optional(),
  })
  .meta({
    id: 'LabAssumeInput',
    description:
      'What a test takes for granted: minutes to the fill, share of the half spread, USD.',
  })

export const RunInput = z
  .strictObject({
    id: ideaId,
    kind: z.enum(['backtest', 'quant']).describe('The step that its stage calls for.'),
    drop: text(
      'An idea to take off the conveyor first, if it is on it, as with the action drop.',
    ).optional(),
  })
  .meta({ id: 'LabRun', description: 'Which idea to test, and how.' })

export const ActionInput = z
  .strictObject({
    id: ideaId,
    action: z.enum(['desk', 'drop', 'delete', 'open', 'set']),
    on: flag('Of set: whether it runs each minute.').optional(),
    draw: z.enum(IDEA_DRAWS).optional().describe('Of set.'),
    alert: z.enum(IDEA_ALERTS).optional().describe('Of set.'),
  })
  .meta({ id: 'LabAction', description: 'What to do with an idea.' })

export const StructInput = z
  .strictObject({ spec: RuleSpec, assume: AssumeInput.optional() })
  .meta({ id: 'LabStructRun', description: 'A rule to compute by itself.' })

export const RunResponse = z
  .strictObject({ idea: LabIdea.nullable(), result: LabResult, state: LabState })
  .meta({ id: 'LabRunAnswer', description: 'What a test found; null: the idea was deleted since.' })
export type RunResponse = z.infer<typeof RunResponse>

export const JobBegun = z
  .strictObject({ job: LabJob, state: LabState })
  .meta({ id: 'LabJobBegun', description: 'A test that is under way.' })

export const ActionResponse = z
  .strictObject({ idea: LabIdea.nullable(), state: LabState })
  .meta({ id: 'LabActionAnswer', description: 'The idea as it is now; null: it is deleted.' })
export type ActionResponse = z.infer<typeof ActionResponse>

export const JobResponse = z
  .strictObject({ job: LabJob, result: LabResult.optional() })
  .meta({ id: 'LabJobAnswer', description: 'How far a test is, and what it found.' })

const number = z.number().nullable()
const price = {
  bid: number,
  ask: number,
  mid: number,
  half_spread: number,
  source: z.enum(['quote', 'smile']).nullable(),
}
const priceFields = (when: 'entry' | 'exit') =>
  Object.fromEntries(Object.entries(price).map(([name, type]) => [`${when}_${name}`, type]))

const LabTrade = z
  .strictObject({
    rule_leg: whole('Which leg of the rule: 0 or 1.'),
    session_date: z.string(),
    era: z.enum(['design', 'holdout', 'since']),
    decided_et: text('ET minute, HH:MM.'),
    filled_et: z.string().nullable(),
    slot: wholeOrNull('The place of the session that it is.'),
    is_fixed: z.boolean().nullable(),
    in_rule: flag('Whether all conditions held.'),
    missed: textOrNull('Why there was no trade; null: there was.'),
    conditions: z.array(z.strictObject({ value: number, holds: z.boolean().nullable() })),
    legs: z.array(
      z.strictObject({
        option_type: z.enum(['C', 'P']),
        sign: whole('1 bought, -1 sold.'),
        asked_strike: z.number(),
        strike: z.number(),
        ...priceFields('entry'),
        ...priceFields('exit'),
      }),
    ),
    net: number.describe('Points received, or paid below 0.'),
    exit_reason: z.string().nullable(),
    exit_date: z.string().nullable(),
    exit_et: z.string().nullable(),
    is_late: z.boolean().nullable(),
    close_net: number,
    settlement: number,
    fees_usd: number.describe('Null with is_sealed, as all from exit_reason on but risk_usd.'),
    pnl_usd: number,
    risk_usd: number,
    r: number.describe('pnl_usd / risk_usd.'),
    worst_usd: number,
    is_sealed: flag('Whether what came after the entry is not shown, as the session is sealed.'),
  })
  .meta({ id: 'LabTrade', description: 'A trade of the core, or a chance that was none.' })

export const TradesResponse = z
  .strictObject({
    job: z.string(),
    total: whole('Rows of the job.'),
    trades: z.array(LabTrade),
  })
  .meta({ id: 'LabTrades' })
