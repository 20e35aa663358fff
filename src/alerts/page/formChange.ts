import type { AccountForm, FormResponse } from '../../accounts/accountPage.ts'
import { refusing } from '../../accounts/formRefusal.ts'
import { changeAlerts } from '../ask.ts'
import type { AlertField } from '../fields.ts'
import { valueIn } from '../fieldText.ts'
import { parseAlertChange } from '../parse.ts'
import type { AlertSectionDeps } from './sectionDeps.ts'

/** Reads a form's fields as values of the API; for lists, the selected values. */
export const readFormFields = (
  sent: URLSearchParams,
  fields: readonly AlertField[],
): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(field => {
      const { name, type } = field
      if (type === 'choices') {
        const chosen = sent.getAll(name)
        return [name, chosen.length === 0 ? null : chosen]
      }
      return [name, valueIn((sent.get(name) ?? '').trim(), field)]
    }),
  )

/** Fields that are filled in; the others take their defaults. */
export const filledIn = (sent: URLSearchParams, fields: readonly AlertField[]) =>
  Object.fromEntries(
    Object.entries(readFormFields(sent, fields)).filter(([, value]) => value !== null),
  )

/** Applies a change as the API does, and shows the reason on the page if it is refused. */
export function changeByForm(
  { accounts, nowMs }: AlertSectionDeps,
  { account }: AccountForm,
  body: object,
): Promise<FormResponse> {
  return refusing(async () => {
    const change = parseAlertChange(JSON.stringify(body))
    const request = { accountId: account.id, atMs: nowMs(), repeat: null }
    await changeAlerts(accounts, { ...request, change })
    return null
  })
}
