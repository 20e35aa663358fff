import { type Html, html } from '../../platform/html/template.ts'
import type { AlertField } from '../fields.ts'

/** A field of the settings as a form input. */

type Given = {
  /** Label; default: the field's own name in words. */
  readonly label?: string
  /** Current value. */
  readonly value?: unknown
  /** Label of the empty choice; left out, there is none. */
  readonly empty?: string
}

const UNITS: Readonly<Record<string, string>> = {
  pt: 'points',
  min: 'minutes',
  musd: '$M',
  musd_pt: '$M a point',
  days: 'days',
}

/** Labels of fields whose names are not clear enough. */
const LABELS: Readonly<Record<string, string>> = {
  min_premium: 'gross premium at least',
  min_net: 'net premium at least',
  min_size: 'size at least',
  min_gamma: 'dealer gamma at least',
  dte_min: 'expiry at least away',
  dte_max: 'expiry at most away',
  gamma: 'dealer gamma',
  flip_within: 'flip within',
  flip_is: 'index from the flip',
  from_t: 'from, New York time',
  to_t: 'until, New York time',
  min_confidence: 'confidence at least, 0 to 1',
}

/** Label of a field on the page, with its unit. */
export function formatTitle({ name, unit }: AlertField, label?: string): string {
  const words = label ?? LABELS[name] ?? toWords(name)
  const unitText = unit === null ? undefined : UNITS[unit]
  return unitText === undefined ? words : `${words}, ${unitText}`
}

/** An input with its label. Validated on submit, also when scripts are off. */
export function fieldInput(field: AlertField, { label, value, empty }: Given = {}): Html {
  const { type } = field
  const title = formatTitle(field, label)
  if (type === 'choices') return choicesInput(field, title, listChosen(value))
  return html`<label class="field"><span>${title}</span>
${renderInput(field, value, empty)}</label>`
}

const listChosen = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : []

function renderInput(field: AlertField, value: unknown, empty: string | undefined): Html {
  const { name, type, values = [], min, max } = field
  const text = value === undefined || value === null ? '' : String(value)
  switch (type) {
    case 'choice':
      return select(name, values, { text, empty })
    case 'yes_no':
      return select(name, ['true', 'false'], { text, empty })
    case 'minute':
      return html`<input name="${name}" type="time" min="${min}" max="${max}" value="${text}">`
    case 'text':
      return html`<input name="${name}" maxlength="${max}" autocomplete="off" value="${text}">`
    default:
      // a number may also be a word, such as auto
      return html`<input name="${name}" inputmode="decimal" size="8" autocomplete="off"
value="${text}">`
  }
}

const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' }

type Selected = { readonly text: string; readonly empty: string | undefined }

const select = (name: string, values: readonly string[], { text, empty }: Selected): Html =>
  html`<select name="${name}">${empty !== undefined && html`<option value="">${empty}</option>`}
${values.map(value => {
  const isChosen = value === text
  return html`<option value="${value}"${isChosen && html` selected`}>${toWords(value)}</option>`
})}</select>`

/** Up to this many choices are checkboxes, more are a list. */
const BOXES_MAX = 4

function choicesInput({ name, values = [] }: AlertField, title: string, chosen: readonly string[]) {
  if (values.length > BOXES_MAX) {
    return html`<label class="field"><span>${title}, none is any</span>
<select name="${name}" multiple size="5">${values.map(value => {
      const isChosen = chosen.includes(value)
      return html`<option value="${value}"${isChosen && html` selected`}>${toWords(value)}</option>`
    })}</select></label>`
  }
  return html`<fieldset class="field"><legend>${title}</legend>
${values.map(
  value =>
    html`<label class="box"><input type="checkbox" name="${name}" value="${value}"${
      chosen.includes(value) && html` checked`
    }> ${toWords(value)}</label>\n`,
)}</fieldset>`
}

/** A value of the API in words: put wall. */
export const toWords = (value: string): string => WORDS[value] ?? value.replaceAll('_', ' ')
