import type { AlertField } from './fields.ts'

/**
 * Parses a text as a value of the field's type. Text that does not parse is returned unchanged, so
 * that the refusal can show it. An empty text is null: reset to the default.
 */
export function valueIn(text: string, { type }: AlertField): unknown {
  if (text === '') return null
  if (type === 'choices') return text.split(',')
  if (type === 'yes_no') return text === 'true' ? true : text === 'false' ? false : text
  const isNumber = (type === 'number' || type === 'whole') && /^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)
  return isNumber ? Number(text) : text
}
