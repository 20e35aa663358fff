import { type AlertField, BOOK, points } from './fields.ts'
import { LEVEL_KINDS } from './kinds.ts'

/** Maximum number of lines of an account. */
export const LINES_MAX = 50

/** Fields of a line. */
export const LINE_FIELDS: readonly AlertField[] = [
  {
    name: 'kind',
    meaning: 'at a price, or at a level wherever that goes',
    type: 'choice',
    unit: null,
    default: null,
    isRequired: true,
    values: ['price', 'level'],
    example: 'price',
  },
  points('price', 'of kind `price`: where the line is', {
    default: null,
    min: 1,
    max: 100_000,
    example: 6000,
  }),
  {
    name: 'level',
    meaning: 'of kind `level`: which level it follows',
    type: 'choice',
    unit: null,
    default: null,
    values: LEVEL_KINDS,
    example: 'put_wall',
  },
  { ...BOOK, meaning: 'of kind `level`: whose level' },
  points('offset', 'of kind `level`: how far above the level, below zero under it', {
    default: 0,
    min: -100,
    max: 100,
  }),
  {
    name: 'mode',
    meaning: '`once`: it fires and is then off; `repeat`: again once the index was 2 points away',
    type: 'choice',
    unit: null,
    default: 'once',
    values: ['once', 'repeat'],
    example: 'once',
  },
  {
    name: 'direction',
    meaning: 'to which side of the line the index has to come',
    type: 'choice',
    unit: null,
    default: 'any',
    values: ['any', 'above', 'below'],
    example: 'above',
  },
  {
    name: 'note',
    meaning: 'a word of yours',
    type: 'text',
    unit: null,
    default: null,
    min: 1,
    max: 120,
    example: 'near my short put',
  },
]
