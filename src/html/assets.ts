import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptPage, type Page } from '../http/page.ts'

/** Files that pages load: their names have the hash of their bytes, so a copy is good for ever. */

const TYPES = {
  'site.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const satisfies Readonly<Record<string, string>>

type AssetName = keyof typeof TYPES

type Asset = { readonly path: string; readonly page: Page }

const CACHING = { 'cache-control': 'public, max-age=31536000, immutable' }

const made = new Map<AssetName, Asset>()

/** Where a file of the pages is found. */
export const assetPath = (name: AssetName): string => assetOf(name).path

/** All files of the pages, by path. */
export const assetPages = (): Readonly<Record<string, () => Page>> =>
  Object.fromEntries(
    (Object.keys(TYPES) as AssetName[]).map(assetOf).map(({ path, page }) => [path, () => page]),
  )

/** The icon, for those who ask for it by the name of old. */
export const readIcon = (): Buffer => readFileSync(join(import.meta.dirname, 'icon.svg'))

/** Read once a process. */
function assetOf(name: AssetName): Asset {
  const known = made.get(name)
  if (known) return known
  const content = readFileSync(join(import.meta.dirname, name))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const asset = {
    path: `/assets/${name.replace('.', `.${hash}.`)}`,
    page: keptPage({ content, contentType: TYPES[name], headers: CACHING }),
  }
  made.set(name, asset)
  return asset
}
