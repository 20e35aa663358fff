import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLISHED_DATASETS } from '../data/dictionary/dictionary.ts'
import { renderPage } from '../platform/html/layout.ts'
import { html } from '../platform/html/template.ts'
import { CHART_SCRIPTS } from './chartScripts.ts'
import { renderMarkdown } from './markdown.ts'

/** Pages of `docs/` that the site shows unchanged. */
const DOCUMENTS = {
  methodology: { file: 'meaning.md', title: 'Methodology' },
  accuracy: { file: 'accuracy.md', title: 'Accuracy' },
  charts: { file: 'charts.md', title: 'Charts' },
  levels: { file: 'levels.md', title: 'Levels' },
} as const

const FOLDER = join(import.meta.dirname, '../../docs')

/** Path at which the site shows a page of `docs/`. */
const PATHS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(DOCUMENTS).map(([name, { file }]) => [file, `/${name}`])),
  'api.md': '/docs',
  ...Object.fromEntries(
    CHART_SCRIPTS.map(name => [`../src/levels/kit/${name}`, `/charts/${name}`]),
  ),
}

/** Renders a page of `docs/` in the site; links to pages that are not here become text. */
export function documentPage(name: keyof typeof DOCUMENTS): string {
  const { file, title } = DOCUMENTS[name]
  const text = readFileSync(join(FOLDER, file), 'utf8')
  return renderPage({
    title,
    path: `/${name}`,
    main: html`<div class="text">
${renderMarkdown(text, resolveHref)}
</div>`,
  })
}

/** The page of the dictionary, which the site shows as a card for each dataset. */
const DICTIONARY = '../data/README.md'

const hasCard = (anchor: string | undefined): boolean =>
  PUBLISHED_DATASETS.some(({ name }) => name === anchor)

function resolveHref(href: string): string | null {
  if (/^https?:\/\//.test(href)) return href
  const [file = '', anchor] = href.split('#')
  if (file === DICTIONARY) return hasCard(anchor) ? `/datasets/${anchor}` : '/datasets'
  const path = file === '' ? '' : PATHS[file]
  if (path === undefined) return null
  return anchor === undefined ? path : `${path}#${anchor}`
}
