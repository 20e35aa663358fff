import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { type Column, modelColumns } from '../../src/data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { manifestVersion, type PublishedManifest } from '../../src/data/published/manifest.ts'
import { type Draft, publishSession, storeSession } from '../../src/data/published/publish.ts'

/** Rows of every dataset in a version made for a test. */
const ROWS = 3
/** Instant of every publication. */
const PUBLISHED_AT_MS = Date.parse('2026-10-15T23:00:00Z')

export type Versions = {
  /**
   * Publishes a session all of whose numbers are `version`; here, or into another folder. It
   * replaces what stands there when it begins, or a named version of the manifest. `onPlaced` runs
   * once its datasets lie there and no manifest names them.
   */
  readonly publish: (
    version: number,
    folder?: string,
    replaces?: string | null,
    onPlaced?: () => Promise<void>,
  ) => Promise<PublishedManifest>
  readonly close: () => void
}

/** A publisher of one session that costs no build; of few datasets, and no views, when so named. */
export async function openVersions(
  dataFolder: string,
  date = '2026-10-15',
  names: readonly string[] | null = null,
): Promise<Versions> {
  const datasets = PUBLISHED_DATASETS.filter(({ name }) => names === null || names.includes(name))
  const db = await openDatabase({ threads: 1 })
  let filled: number | null = null
  return {
    publish: async (
      version,
      folder = dataFolder,
      replaces = manifestVersion(folder, date),
      onPlaced,
    ) => {
      if (filled !== version) {
        for (const { name, columns } of datasets) {
          await fillTable(db, `ledger.${name}`, columns, { date, version })
        }
      }
      filled = version
      const bytes = (text: string) => Buffer.from(text)
      const draft: Draft = {
        session_date: date,
        symbol: 'SPX',
        simulated: true,
        asof: '16:15:00',
        code_version: 'test',
        min_premium_usd: 50_000,
        inputs: [],
        tape: { kept: version },
        nowMs: () => PUBLISHED_AT_MS,
        minutes: { expected: 405, present: version, missing: [] },
        forms: Promise.resolve({
          json: {
            data: bytes(JSON.stringify({ version, min_premium: 50_000 })),
            extension: 'json',
            etag: `"v${version}"`,
          },
          csv: { data: bytes(`version\n${version}\n`), extension: 'csv', etag: `"c${version}"` },
        }),
        archive: async revision => {
          await onPlaced?.()
          return {
            session: { data: bytes(revision), extension: 'json.br', etag: `"a${version}"` },
          }
        },
      }
      return names === null
        ? publishSession(db, folder, draft, replaces)
        : storeSession(db, folder, { ...draft, datasets }, replaces)
    },
    close: db.close,
  }
}

/** Makes a table all of whose numbers are `version`. */
export async function fillTable(
  db: Database,
  table: string,
  columns: readonly Column[],
  params: { readonly date: string; readonly version: number },
): Promise<void> {
  const values = modelColumns(columns).map(({ name, type }) =>
    // the publisher makes an instant of it
    name === 'minute_et' ? `'09:31' as ${name}` : `${numberAs(type)}::${type} as ${name}`,
  )
  await db.run(
    `create or replace table ${table} as select ${values.join(', ')} from range(${ROWS})`,
    params,
  )
}

function numberAs(type: string): string {
  if (type === 'date') return '$date'
  if (type === 'timestamp') return 'make_timestamp($version::bigint)'
  if (type === 'boolean') return 'true'
  return type.endsWith('[]') ? '[$version::bigint]' : '$version::bigint'
}
