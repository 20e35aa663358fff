/** `tapefold files --catalog FILE --url URL`: a DuckDB file of views over the files of a server. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../src/core/command.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { shown } from '../../src/core/disk/text.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { filePath } from '../../src/core/engine/paths.ts'
import { hasLogin, withoutLogin } from '../../src/core/text/values.ts'
import { columnTypes } from '../../src/data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { remoteView } from '../../src/data/published/views.ts'

/** Body of an error: its message says why. */
const ErrorBody = z.looseObject({ error: z.looseObject({ message: z.string() }) })

const Index = z.looseObject({
  files: z.array(
    z.looseObject({
      file: z.string().regex(/^[\w.-]{1,200}$/),
      dataset: z.string(),
      day: z.string(),
      rows: z.int(),
    }),
  ),
  // absent in the sample, and from older servers
  days: z
    .array(
      z.looseObject({
        day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
        revision: z.string().regex(/^\w{1,64}$/),
        edition: z.int().nullable(),
        condition: z.string().regex(/^\w+$/).nullable(),
        published_at: z
          .string()
          .regex(/^[\dTZ:-]+$/)
          .nullable(),
        simulated: z.boolean(),
      }),
    )
    .default([]),
})

const EXAMPLE = 'such as https://data.example/snapshots/'

/** Parses the address of dataset files; it ends with a slash. Fails with a sentence. */
function parseBase(text: string): string {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  // a login and a query may hold a secret: they are neither stored nor shown
  if (hasLogin(text) || text.includes('?')) {
    const advice = 'give the address alone, and the key as TAPEFOLD_DATASET_KEY'
    throw new UsageError(`--url has a login or a query in it; ${advice}, ${EXAMPLE}.`)
  }
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new UsageError(
    `--url is ${shown(withoutLogin(text))}; give the address of dataset files, ${EXAMPLE}.`,
  )
}

/**
 * Fetches the list of files of a server. `key`: of scope dataset or lab; null sends none. Fails with
 * a Refusal that names the status, or why there was no response.
 */
async function fetchIndex(base: string, key: string | null): Promise<z.infer<typeof Index>> {
  const address = `${base}index.json`
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  let response: Response
  try {
    // a redirect might send the key elsewhere
    response = await fetch(address, { headers, redirect: 'error' })
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    throw new Refusal(`${address} cannot be read (${code ?? message}).`)
  }
  if (response.status !== 200) {
    const body = ErrorBody.safeParse(await response.json().catch(() => null))
    const why = body.success ? `: ${body.data.error.message.replace(/\.$/, '')}` : ''
    const hint = response.status === 401 ? '; a key is taken from TAPEFOLD_DATASET_KEY' : ''
    throw new Refusal(`${address} responded with status ${response.status}${why}${hint}.`)
  }
  const parsed = Index.safeParse(await response.json().catch(() => null))
  if (parsed.success) return parsed.data
  throw new Refusal(`${address} is no list of dataset files; give an address ${EXAMPLE}.`)
}

/**
 * Fills the attached database `catalog` with a view of each dataset over the files of a server, and
 * the table `editions`. No file is fetched: each view is checked against an empty one. The key is
 * not stored.
 */
export async function fillRemoteCatalog(
  db: Database,
  { url, key }: { readonly url: string; readonly key: string | null },
): Promise<void> {
  const base = parseBase(url)
  const { files, days } = await fetchIndex(base, key)
  const byDataset = Map.groupBy(files, ({ dataset }) => dataset)
  const work = mkdtempSync(join(tmpdir(), 'tapefold-catalog-'))
  try {
    await db.run('use catalog')
    for (const dataset of PUBLISHED_DATASETS) {
      const empty = filePath(join(work, `${dataset.name}.parquet`))
      await db.run(`create or replace temp table stub (${columnTypes(dataset.columns)})`)
      await db.run(`copy stub to '${empty}' (format parquet)`)
      await db.run(`set variable tapefold_stub = ['${empty}']`)
      const names = (byDataset.get(dataset.name) ?? []).map(({ file }) => file)
      await db.run(remoteView(dataset, base, names))
    }
    await db.run(`create table editions (session_date date, revision varchar, edition integer,
      condition varchar, published_at timestamp, simulated boolean)`)
    for (const { day, revision, edition, condition, published_at, simulated } of days) {
      await db.run(
        'insert into editions values ($day, $revision, $edition, $condition, $at, $simulated)',
        {
          day,
          revision,
          edition,
          condition,
          simulated,
          at: published_at?.replace('T', ' ').replace('Z', '') ?? null,
        },
      )
    }
    await db.run('use memory')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
