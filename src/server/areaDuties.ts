import { existsSync } from 'node:fs'
import { isRenderable, renderPublished, summarizePublished } from '../archive/published.ts'
import { renderArchive, strikesForm } from '../archive/render.ts'
import { readSessionRows, readSummaries } from '../archive/rows.ts'
import { Refusal } from '../core/disk/refusal.ts'
import type { AreaDuties, LedgerFacts } from '../data/areaDuties.ts'
import { DamagedFile } from '../data/published/damagedFile.ts'
import { makeColumns } from '../lab/market/makeColumns.ts'
import { EXTENSION_OF_FORM, LEDGER_FORMS, renderLedgerFiles } from '../orders/render.ts'
import { type LedgerInput, wireLedger } from '../orders/wire.ts'
import { LOG_RETENTION_MS } from '../outbox/store/expired.ts'
import { readConfig } from '../platform/config.ts'
import { isPostgresUrl } from '../platform/database/postgres.ts'

/** The rows of a ledger have the columns of its model. */
const toInput = (facts: LedgerFacts) => facts as unknown as LedgerInput

/** Work of all areas for those who know none of them. */
export const AREA_DUTIES: AreaDuties = {
  renderLedger: async facts => {
    const files = await renderLedgerFiles(toInput(facts))
    const forms = LEDGER_FORMS.map(form => {
      const { data, etag } = files[form]
      return [form, { data, etag, extension: EXTENSION_OF_FORM[form] }]
    })
    return Object.fromEntries(forms)
  },
  readSession: async (db, date) => {
    const rows = await readSessionRows(db)
    return {
      summary: (await readSummaries(db)).get(date),
      render: (facts, revision) =>
        renderArchive({ ...rows, ledger: wireLedger(toInput(facts)), revision }),
    }
  },
  isRenderable,
  // the strikes came later than the rest
  lacksForms: ({ archive }) => archive?.[strikesForm('measured')] === undefined,
  renderPublished: async (dataFolder, manifest) => {
    try {
      const [summary] = await summarizePublished(dataFolder, [manifest])
      const forms = await renderPublished(dataFolder, manifest)
      return summary && 'orders' in summary ? { forms, summary } : { forms }
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error
      throw new Refusal(`${error.message}; repair ${manifest.session_date} first.`)
    }
  },
  makeColumns,
  deleteExpired: async (dataFolder, nowMs) => {
    const { accountFilePath, openAccountStore } = await import('./accountStore.ts')
    const address = readConfig(process.env).databaseUrl ?? accountFilePath(dataFolder)
    // without an account database there are no events, and none is created
    if (!isPostgresUrl(address) && !existsSync(address)) return 0
    const accounts = await openAccountStore(address)
    try {
      return await accounts.outbox.deleteOlder(nowMs - LOG_RETENTION_MS)
    } finally {
      await accounts.close()
    }
  },
}
