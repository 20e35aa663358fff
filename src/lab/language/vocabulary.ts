import { EXAMPLES } from './examples.ts'
import { ACTION_WORDS, LEVEL_WORDS, LISTS } from './lists.ts'
import { STRUCTURE_WORDS } from './phrases/core.ts'
import { REFUSAL_ROWS } from './phrases/refusals.ts'
import { FILLERS } from './phrases/words.ts'
import { QUESTIONS } from './questions.ts'
import { MESSAGE_MAX, MESSAGE_WORDS_MAX } from './read.ts'
import { STRUCTURE_NAMES, sayCondition } from './say.ts'
import {
  BOUNDS,
  COMPARED,
  COMPARED_FIELDS,
  type ComparedField,
  listOperators,
  type RuleCondition,
  STRUCTURES,
} from './spec.ts'
import { PHRASES } from './table.ts'

/** Incremented when a sentence may compile to another rule than before. */
const LANGUAGE_VERSION = 4

const plain = (phrase: string): string => phrase.replace(/\s+/g, ' ').trim()

/** Returns all that the parser reads, from its own table. */
export function vocabulary() {
  return {
    version: LANGUAGE_VERSION,
    grammar: {
      phrases: PHRASES.filter(({ field }) => field !== 'refused').map(({ id, field, phrase }) => ({
        id,
        field,
        phrase: plain(phrase),
      })),
      synonyms: mapped(LISTS.synonyms, plain),
      values: mapped(LISTS.kinds, ({ phrase }) => plain(phrase)),
      fillers: FILLERS,
    },
    structures: STRUCTURES.map(structure => ({
      structure,
      says: STRUCTURE_NAMES[structure],
      synonyms: STRUCTURE_WORDS.filter(({ v }) => v === structure).map(({ ways }) => plain(ways)),
    })),
    slots: slots(),
    conditions: conditions(),
    units: {
      pt: 'index points',
      musd_pt: '$M of dealer gamma per index point',
      pct: 'percent',
      em: 'expected moves of the day',
      vol_pt: 'points of at-the-money volatility',
    },
    times: {
      zone: 'ET; CT, MT and PT are converted, and UTC as in summer time',
      entry: [BOUNDS.firstEntry, BOUNDS.lastEntry],
      examples: ['10', '10am', '10:30', 'noon', 'half past ten', 'an hour after the open'],
      afternoon: 'an hour from 1 to 6 without am or pm',
    },
    refusals: REFUSAL_ROWS.map(({ id, reason, words }) => ({ id, reason, words: plain(words) })),
    examples: EXAMPLES,
    limits: {
      message_characters: MESSAGE_MAX,
      message_words: MESSAGE_WORDS_MAX,
      conditions: BOUNDS.conditionsMax,
      legs: 2,
      contracts: BOUNDS.qtyMax,
    },
  }
}

export type LabVocabulary = ReturnType<typeof vocabulary>

const mapped = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

type SlotRange = {
  readonly min: number | string | null
  readonly max: number | string | null
  readonly step: number | null
  readonly default: number | string | null
  readonly synonyms: readonly string[]
}

const NO_RANGE: SlotRange = { min: null, max: null, step: null, default: null, synonyms: [] }

const RANGES: Readonly<Record<string, Partial<SlotRange>>> = {
  action: { synonyms: Object.values(ACTION_WORDS).map(plain) },
  width: { min: BOUNDS.widthStep, max: BOUNDS.widthMax, step: BOUNDS.widthStep },
  strike: {
    min: -BOUNDS.offsetMax,
    max: BOUNDS.offsetMax,
    step: BOUNDS.widthStep,
    synonyms: Object.values(LEVEL_WORDS).map(plain),
  },
  'entry time': { min: BOUNDS.firstEntry, max: BOUNDS.lastEntry },
  'exit time': { min: BOUNDS.firstEntry, max: BOUNDS.lastEntry, default: 'expiry' },
  premium: { min: 0, max: BOUNDS.premiumMaxMusd },
  'profit target': { min: 0, max: BOUNDS.profitMaxSold },
  stop: { min: 1, max: BOUNDS.stopCreditMax },
  'unit of the stop': { min: 1, max: BOUNDS.stopCreditMax },
  contracts: { min: 1, max: BOUNDS.qtyMax, step: 1, default: 1 },
}

function slots() {
  const questions = QUESTIONS.map(({ slot, ask, unit, options }) => ({
    slot,
    ask,
    unit,
    ...NO_RANGE,
    ...RANGES[slot],
    ...(options ? { options } : {}),
  }))
  const expiry = {
    slot: 'dte',
    ask: null,
    unit: 'sessions',
    ...NO_RANGE,
    min: 0,
    max: BOUNDS.dteMax,
    step: 1,
    default: 0,
  }
  return [...questions, expiry]
}

/** Example value of each field. */
const SHOWN: Readonly<Record<ComparedField, number>> = {
  spot_minus_put_wall: 25,
  call_wall_minus_spot: 10,
  spot_minus_flip: 10,
  net_gamma: 500,
  abs_gap: 0.4,
  abs_move_from_open: 0.5,
  move_from_open: 0.5,
  atm_iv_change: 2,
}

function conditions() {
  const compared = COMPARED_FIELDS.map(f => {
    const { unit, min, max } = COMPARED[f]
    const says = listOperators(f).map(op =>
      sayCondition({ f, op, v: SHOWN[f], u: unit } as RuleCondition),
    )
    return { f, ops: [...listOperators(f)], unit, min, max, says, null_when: NULL_WHEN[f] }
  })
  const order = { f: 'order' as const, premium_musd_min: 20 }
  return [
    {
      f: 'order',
      ops: [],
      unit: 'musd',
      min: 0,
      max: BOUNDS.premiumMaxMusd,
      says: [
        sayCondition({ ...order, gamma: 'adds' }, true),
        sayCondition({ ...order, since_min: 30 }),
        sayCondition({ ...order, not: true }),
      ],
      null_when: 'gamma is asked, and the order has none',
    },
    {
      f: 'cross_flip',
      ops: [],
      unit: null,
      min: null,
      max: null,
      says: [sayCondition({ f: 'cross_flip', dir: 'above', nth: 1 })],
      null_when: 'the minute or the one before has no flip or no price',
    },
    ...compared,
  ]
}

const NULL_WHEN: Readonly<Record<ComparedField, string>> = {
  spot_minus_put_wall: 'the minute has no put wall or no price',
  call_wall_minus_spot: 'the minute has no call wall or no price',
  spot_minus_flip: 'the minute has no flip or no price',
  net_gamma: 'the minute has no gamma',
  abs_gap: 'there is no close of the session before, or no open',
  abs_move_from_open: 'the minute has no expected move, or there is no open',
  move_from_open: 'there is no open',
  atm_iv_change: 'the minute or the open has no volatility',
}
