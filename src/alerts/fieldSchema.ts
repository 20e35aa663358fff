import { z } from 'zod'
import type { AlertField } from './fields.ts'

/** Schema of a field's input, including aliases of its values. */
export function inputValue({ type, min, max, values = [], synonyms = {} }: AlertField): z.ZodType {
  switch (type) {
    case 'number': {
      const number = z.number().min(Number(min)).max(Number(max))
      return values.length === 0 ? number : z.union([number, z.enum([...values])])
    }
    case 'whole':
      return z.int().min(Number(min)).max(Number(max))
    case 'yes_no':
      return z.boolean()
    case 'choice':
      return z.enum([...values, ...Object.keys(synonyms)])
    case 'choices':
      return z
        .array(z.enum([...values]))
        .min(1)
        .max(values.length)
    case 'text':
      return z.string().min(Number(min)).max(Number(max))
    default:
      return z.string().regex(/^\d\d:\d\d$/)
  }
}

/** Schema of a field in a response. */
export const responseValue = ({ synonyms: _, ...field }: AlertField): z.ZodType =>
  inputValue(field).describe(`${field.meaning}.`)
