import type { AlertField } from './fields.ts'

/**
 * A value of a field's type where a text is one, else the text, which is then refused in a sentence
 * that shows it. An empty text is null: the default again.
 */
export function valueIn(text: string, { type }: AlertField): unknown {
  if (text === '') return null
  if (type === 'choices') return text.split(',')
  if (type === 'yes_no') return text === 'true' ? true : text === 'false' ? false : text
  const isNumber = (type === 'number' || type === 'whole') && /^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)
  return isNumber ? Number(text) : text
}
