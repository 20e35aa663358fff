import { renderArchive } from '../../src/archive/render.ts'
import type { SessionRows } from '../../src/archive/rows.ts'
import type { PublishedForm } from '../../src/data/published/publish.ts'
import { EXTENSION_OF_FORM, LEDGER_FORMS, renderLedgerFiles } from '../../src/orders/render.ts'
import { type LedgerInput, wireLedger } from '../../src/orders/wire.ts'

/** Every form of a ledger, by its name, as it is published. */
export async function renderForms(input: LedgerInput): Promise<Record<string, PublishedForm>> {
  const files = await renderLedgerFiles(input)
  const forms = LEDGER_FORMS.map(form => {
    const { data, etag } = files[form]
    return [form, { data, etag, extension: EXTENSION_OF_FORM[form] }]
  })
  return Object.fromEntries(forms)
}

/** Every form of a session in the archive, by its name, as it is published. */
export const renderSession = (
  input: LedgerInput,
  rows: SessionRows,
  revision: string,
): Promise<Record<string, PublishedForm>> =>
  renderArchive({ ...rows, ledger: wireLedger(input), revision })
