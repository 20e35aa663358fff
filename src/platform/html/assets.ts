import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createCachedPage, type Page } from '../http/page.ts'

/** Files that pages load: named by the hash of their bytes, so cacheable for ever. */

const TYPES = {
  'site.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'session.js': 'text/javascript; charset=utf-8',
  'uplot.css': 'text/css; charset=utf-8',
  'lab.css': 'text/css; charset=utf-8',
  'lab.js': 'text/javascript; charset=utf-8',
} as const satisfies Readonly<Record<string, string>>

type AssetName = keyof typeof TYPES

/** Files of a library, by their path in it. */
const LIBRARY: Partial<Readonly<Record<AssetName, string>>> = {
  'uplot.css': 'uplot/dist/uPlot.min.css',
}

type Asset = { readonly path: string; readonly page: Page }

const CACHING = { 'cache-control': 'public, max-age=31536000, immutable' }

const made = new Map<AssetName, Asset>()

/** Returns the path of a page asset. */
export const assetPath = (name: AssetName): string => buildAsset(name).path

/** All files of the pages, by path. */
export const assetPages = (): Readonly<Record<string, () => Page>> =>
  Object.fromEntries(
    (Object.keys(TYPES) as AssetName[]).map(buildAsset).map(({ path, page }) => [path, () => page]),
  )

/** The icon, for clients that request `/favicon.ico`. */
export const readIcon = (): Buffer => readFileSync(join(import.meta.dirname, 'icon.svg'))

/** Modules of each script, each after those it imports. */
const SCRIPT_PARTS: Partial<Readonly<Record<AssetName, readonly string[]>>> = {
  'session.js': [
    'texts',
    'facts',
    'curve',
    'ladder',
    'loads',
    'scrubber',
    'chart',
    'renew',
    'session',
  ],
  'lab.js': ['texts', 'equity', 'progress', 'lab'],
}

const libraryFile = (file: string) => createRequire(import.meta.url).resolve(file)

/** Concatenates modules after the chart library: one request, and no global names. */
function joinScripts(names: readonly string[]): string {
  const parts = names.map(name =>
    readFileSync(join(import.meta.dirname, 'browser', `${name}.js`), 'utf8'),
  )
  const text = parts
    .join('\n')
    .replace(/^import [^']*'.*'\n/gm, '')
    .replace(/^export /gm, '')
  const chart = readFileSync(libraryFile('uplot/dist/uPlot.iife.min.js'), 'utf8')
  return `${chart}\n;(() => {\n'use strict'\n${text}})()\n`
}

const readFile = (name: AssetName): string => {
  const file = LIBRARY[name]
  return file ? libraryFile(file) : join(import.meta.dirname, name)
}

/** Read once a process. */
function buildAsset(name: AssetName): Asset {
  const known = made.get(name)
  if (known) return known
  const parts = SCRIPT_PARTS[name]
  const content = parts ? joinScripts(parts) : readFileSync(readFile(name))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const asset = {
    path: `/assets/${name.replace('.', `.${hash}.`)}`,
    page: createCachedPage({ content, contentType: TYPES[name], headers: CACHING }),
  }
  made.set(name, asset)
  return asset
}
