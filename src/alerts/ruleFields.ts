import type { AlertField } from './fields.ts'
import { ONE_SIDED_KINDS, ORDER_KINDS } from './orderKinds.ts'

/** How many order rules an account may keep. */
export const RULES_MAX = 20

/** A condition that a rule need not have. */
const any = <const Row extends Omit<AlertField, 'default'>>(row: Row) => ({ ...row, default: null })

/** What a rule can say: every condition that it has must hold. */
export const RULE_FIELDS: readonly AlertField[] = [
  {
    name: 'name',
    meaning: 'how it is called in events',
    type: 'text',
    unit: null,
    default: null,
    isRequired: true,
    ...{ min: 1, max: 60 },
    example: 'big verticals',
  },
  {
    name: 'on',
    meaning: 'whether it is told',
    type: 'yes_no',
    unit: null,
    default: true,
    example: true,
  },
  any({
    name: 'kinds',
    meaning: 'the structure is one of these',
    type: 'choices',
    unit: null,
    values: ORDER_KINDS,
    refusals: Object.fromEntries(
      Object.entries(ONE_SIDED_KINDS).map(([kind, both]) => [
        kind,
        `an alert never asks which way a customer traded; give "${both}", which is both ways`,
      ]),
    ),
    example: ['vertical', 'iron_condor'],
  }),
  any({
    name: 'min_premium',
    meaning: 'the gross premium is at least this',
    ...{ type: 'number', unit: 'musd', min: 0, max: 10_000, example: 2.5 },
  }),
  any({
    name: 'min_net',
    meaning: 'the net premium is at least this, paid or received',
    ...{ type: 'number', unit: 'musd', min: 0, max: 10_000, example: 1 },
  }),
  any({
    name: 'min_size',
    meaning: 'the structure traded at least so many times',
    ...{ type: 'whole', unit: 'count', min: 1, max: 10_000_000, example: 500 },
  }),
  any({
    name: 'gamma',
    meaning: 'it adds dealer gamma, or removes it',
    ...{ type: 'choice', unit: null, values: ['adds', 'removes'], example: 'removes' },
  }),
  any({
    name: 'min_gamma',
    meaning: 'its dealer gamma is at least this, either way',
    ...{ type: 'number', unit: 'musd_pt', min: 0, max: 100_000, example: 5 },
  }),
  any({
    name: 'dte_min',
    meaning: 'its expiry is at least so many days away; 0 is today',
    ...{ type: 'whole', unit: 'days', min: 0, max: 5_000, example: 0 },
  }),
  any({
    name: 'dte_max',
    meaning: 'its expiry is at most so many days away',
    ...{ type: 'whole', unit: 'days', min: 0, max: 5_000, example: 7 },
  }),
  any({
    name: 'flip_within',
    meaning: 'the index is at most so far from the flip at its minute',
    ...{ type: 'number', unit: 'pt', min: 0, max: 1_000, example: 20 },
  }),
  any({
    name: 'flip_is',
    meaning: 'the index is over or under the flip at its minute',
    ...{ type: 'choice', unit: null, values: ['over', 'under'], example: 'under' },
  }),
  any({
    name: 'wall',
    meaning: 'which wall `wall_within` is of; `any` where it is left out',
    ...{ type: 'choice', unit: null, values: ['call_wall', 'put_wall', 'any'], example: 'any' },
  }),
  any({
    name: 'wall_within',
    meaning: 'the index is at most so far from the wall at its minute',
    ...{ type: 'number', unit: 'pt', min: 0, max: 1_000, example: 15 },
  }),
  any({
    name: 'from_t',
    meaning: 'its minute is this one or later',
    ...{ type: 'minute', unit: 'ET', min: '09:30', max: '16:15', example: '10:00' },
  }),
  any({
    name: 'to_t',
    meaning: 'its minute is this one or earlier',
    ...{ type: 'minute', unit: 'ET', min: '09:30', max: '16:15', example: '15:30' },
  }),
  any({
    name: 'min_confidence',
    meaning: 'the fold is at least so sure that it is one order',
    ...{ type: 'number', unit: null, min: 0, max: 1, example: 0.9 },
  }),
]
