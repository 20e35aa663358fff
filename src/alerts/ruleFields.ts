import type { AlertField } from './fields.ts'
import { ONE_SIDED_KINDS, ORDER_KINDS } from './orderKinds.ts'

/** Maximum number of order rules of an account. */
export const RULES_MAX = 20

/** An optional condition of a rule. */
const any = <const Row extends Omit<AlertField, 'default'>>(row: Row) => ({ ...row, default: null })

/** A condition with a range. */
const ranged = <Limit extends number | string>(
  name: string,
  type: AlertField['type'],
  unit: AlertField['unit'],
  [min, max]: readonly [min: Limit, max: Limit],
  example: Limit,
  meaning: string,
) => any({ name, meaning, type, unit, min, max, example })

const choice = (name: string, values: readonly string[], example: string, meaning: string) =>
  any({ name, meaning, type: 'choice', unit: null, values, example })

/** Fields of a rule; an order must meet all of its conditions. */
export const RULE_FIELDS: readonly AlertField[] = [
  {
    name: 'name',
    meaning: 'how it is called in events',
    type: 'text',
    unit: null,
    default: null,
    isRequired: true,
    min: 1,
    max: 60,
    example: 'big verticals',
  },
  {
    name: 'on',
    meaning: 'whether it is sent',
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
  ranged('min_premium', 'number', 'musd', [0, 10_000], 2.5, 'the gross premium is at least this'),
  ranged(
    'min_net',
    'number',
    'musd',
    [0, 10_000],
    1,
    'the net premium is at least this, paid or received',
  ),
  ranged(
    'min_size',
    'whole',
    'count',
    [1, 10_000_000],
    500,
    'the structure traded at least so many times',
  ),
  choice('gamma', ['adds', 'removes'], 'removes', 'it adds dealer gamma, or removes it'),
  ranged(
    'min_gamma',
    'number',
    'musd_pt',
    [0, 100_000],
    5,
    'its dealer gamma is at least this, either way',
  ),
  ranged(
    'dte_min',
    'whole',
    'days',
    [0, 5_000],
    0,
    'its expiry is at least so many days away; 0 is today',
  ),
  ranged('dte_max', 'whole', 'days', [0, 5_000], 7, 'its expiry is at most so many days away'),
  ranged(
    'flip_within',
    'number',
    'pt',
    [0, 1_000],
    20,
    'the index is at most so far from the flip at its minute',
  ),
  choice(
    'flip_is',
    ['over', 'under'],
    'under',
    'the index is over or under the flip at its minute',
  ),
  choice(
    'wall',
    ['call_wall', 'put_wall', 'any'],
    'any',
    'which wall `wall_within` is of; `any` where it is left out',
  ),
  ranged(
    'wall_within',
    'number',
    'pt',
    [0, 1_000],
    15,
    'the index is at most so far from the wall at its minute',
  ),
  ranged('from_t', 'minute', 'ET', ['09:30', '16:15'], '10:00', 'its minute is this one or later'),
  ranged('to_t', 'minute', 'ET', ['09:30', '16:15'], '15:30', 'its minute is this one or earlier'),
  ranged(
    'min_confidence',
    'number',
    null,
    [0, 1],
    0.9,
    'the fold is at least so sure that it is one order',
  ),
]
