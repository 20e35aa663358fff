import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { manifestVersion, type PublishedManifest } from '../../src/data/published/manifest.ts'
import { type Draft, publishSession } from '../../src/data/published/publish.ts'

/** Rows of every dataset in a version made for a test. */
const ROWS = 3

export type Versions = {
  /** Publishes a session all of whose numbers are `version`; here, or into another folder. */
  readonly publish: (version: number, folder?: string) => Promise<PublishedManifest>
  readonly close: () => void
}

/** A publisher of one session that costs no build. */
export async function openVersions(dataFolder: string, date = '2026-10-15'): Promise<Versions> {
  const db = await openDatabase({ threads: 1 })
  let filled: number | null = null
  return {
    publish: async (version, folder = dataFolder) => {
      const replaces = manifestVersion(folder, date)
      if (filled !== version) await fill(db, date, version)
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
        minutes: { expected: 405, present: 405, missing: [] },
        forms: Promise.resolve({
          json: {
            data: bytes(JSON.stringify({ version, min_premium: 50_000 })),
            extension: 'json',
            etag: `"v${version}"`,
          },
          csv: { data: bytes(`version\n${version}\n`), extension: 'csv', etag: `"c${version}"` },
        }),
        archive: async revision => ({
          session: { data: bytes(revision), extension: 'json.br', etag: `"a${version}"` },
        }),
      }
      return publishSession(db, folder, draft, replaces)
    },
    close: db.close,
  }
}

async function fill(db: Database, date: string, version: number): Promise<void> {
  for (const { name, columns } of PUBLISHED_DATASETS) {
    const values = columns.map(
      column => `${numberAs(column.type)}::${column.type} as ${column.name}`,
    )
    await db.run(
      `create or replace table ledger.${name} as select ${values.join(', ')} from range(${ROWS})`,
      { date, version },
    )
  }

  function numberAs(type: string): string {
    if (type === 'date') return '$date'
    if (type === 'timestamp') return 'make_timestamp($version::bigint)'
    if (type === 'boolean') return 'true'
    return type.endsWith('[]') ? '[$version::bigint]' : '$version::bigint'
  }
}
