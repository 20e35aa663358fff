import { z } from 'zod'
import { POSITIONS_MAX } from '../accounts/products.ts'
import { number, text, whole } from '../platform/http/fields.ts'
import { ALERT_DEFAULTS, type CatalogueCondition, CONDITIONS, LABEL_DEFAULTS } from './catalogue.ts'
import { LEG_NAMES, LEGS_OF_KIND, POSITION_KINDS } from './kinds.ts'
import { Alert, Label, Position } from './schema.ts'

/** Schemas of the responses about stored positions, for the OpenAPI file and for tests. */

const Kind = z.enum(POSITION_KINDS)

const Catalogue = z
  .looseObject({
    kinds: z
      .array(z.looseObject({ kind: Kind, legs: z.array(z.enum(LEG_NAMES)) }))
      .describe('The kinds and the legs of each, their strikes rising.'),
    conditions: z
      .array(
        z.looseObject({
          id: z.string(),
          meaning: z.string(),
          unit: text('em expected moves, pt points, musd $M, musd_pt $M per point, …'),
          on_when: text('How the value is compared: `<-`, `<=-` with minus the threshold.'),
          default: number('Threshold where an account names none.'),
          min: z.number(),
          max: z.number(),
          kinds: z.array(Kind).describe('Kinds that it judges.'),
        }),
      )
      .describe('Every condition a position can be judged by.'),
    label: Label,
    alert: Alert,
  })
  .meta({
    id: 'PositionCatalogue',
    description:
      'What a position can be made of, and what it is made of where an account is silent.',
  })

/** The catalogue in a response. */
export const catalogue: z.infer<typeof Catalogue> = {
  kinds: POSITION_KINDS.map(kind => ({ kind, legs: [...LEGS_OF_KIND[kind]] })),
  conditions: CONDITIONS.map(({ kinds, ...condition }: CatalogueCondition) => {
    return { ...condition, kinds: [...kinds] }
  }),
  label: LABEL_DEFAULTS,
  alert: ALERT_DEFAULTS,
}

const EXAMPLE = Position.meta()!.example as Position

const PositionList = z
  .looseObject({
    positions: z.array(Position).max(POSITIONS_MAX).describe('Oldest first.'),
    max: whole('How many an account may keep.'),
    catalogue: Catalogue,
  })
  .meta({
    id: 'PositionList',
    description: 'Without `id`.',
    example: { positions: [EXAMPLE], max: POSITIONS_MAX, catalogue },
  })

const OnePosition = z
  .looseObject({ position: Position })
  .meta({ id: 'OnePosition', description: 'With `id`.', example: { position: EXAMPLE } })

/** Response of GET. */
export const Positions = z.union([PositionList, OnePosition]).meta({
  example: { positions: [EXAMPLE], max: POSITIONS_MAX, catalogue },
})

/** Response of POST. */
export const Changed = z
  .looseObject({
    ok: z.literal(true),
    id: text('Of the position that was added, changed or removed.'),
    position: Position.optional().describe('As it is stored now; absent after remove.'),
  })
  .meta({
    id: 'PositionChanged',
    example: { ok: true, id: EXAMPLE.id, position: EXAMPLE },
  })

export type Changed = z.infer<typeof Changed>
