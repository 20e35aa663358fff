import { z } from 'zod'

/** A file under `published/`, named once and never written again. */
const PublishedFile = z.looseObject({
  /** Relative to `published/`; never outside of it. */
  file: z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[\w.=-]+(\/[\w.=-]+)*$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const LedgerFile = PublishedFile.extend({ etag: z.string().regex(/^"[\w-]+"$/) })

/** What readers need of `published/manifests/YYYY-MM-DD.json`; the publisher may write more. */
export const PublishedManifest = z.looseObject({
  format: z.literal(1, 'was written by a newer version of Tapefold: update this one'),
  session_date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  symbol: z.string(),
  simulated: z.boolean(),
  revision: z.union([z.string(), z.int()]),
  /** 'HH:MM:SS' ET. */
  asof: z.string().regex(/^\d{2}:\d{2}:\d{2}$/),
  minutes: z.looseObject({ expected: z.int(), present: z.int() }),
  /** The rendered ledger by form: json, gzip, brotli, csv, parquet, arrow. */
  ledger: z.record(z.string(), LedgerFile),
})

export type PublishedManifest = z.infer<typeof PublishedManifest>
export type LedgerFileEntry = z.infer<typeof LedgerFile>

/** The manifest of a file's text; fails with one sentence that names the field. */
export function parseManifest(text: string): PublishedManifest {
  const parsed = PublishedManifest.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new Error(`${issue.path.join('.') || 'the manifest'} ${issue.message}`)
}
