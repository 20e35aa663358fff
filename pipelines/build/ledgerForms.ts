import { EXTENSION_OF_FORM, LEDGER_FORMS, renderLedgerFiles } from '../../src/orders/render.ts'
import type { LedgerInput } from '../../src/orders/wire.ts'
import type { PublishedForm } from '../../src/published/publish.ts'

/** Every form of a ledger, by its name, as it is published. */
export async function renderForms(input: LedgerInput): Promise<Record<string, PublishedForm>> {
  const files = await renderLedgerFiles(input)
  const forms = LEDGER_FORMS.map(form => {
    const { data, etag } = files[form]
    return [form, { data, etag, extension: EXTENSION_OF_FORM[form] }]
  })
  return Object.fromEntries(forms)
}
