import { assetPath } from './assets.ts'
import { type Html, html } from './template.ts'

/** Frame of every page. */

/** Pages linked from every page. */
const NAVIGATION = [
  { path: '/', name: 'Start' },
  { path: '/sessions', name: 'Sessions' },
  { path: '/grades', name: 'Grades' },
  { path: '/methodology', name: 'Methodology' },
  { path: '/accuracy', name: 'Accuracy' },
  { path: '/pricing', name: 'Plans' },
  { path: '/docs', name: 'API' },
  { path: '/status', name: 'Status' },
  { path: '/account', name: 'Account' },
] as const

/** Every page of the site with a fixed address. */
export const SITE_PATHS: readonly string[] = [
  ...NAVIGATION.map(({ path }) => path),
  '/charts',
  '/datasets',
  '/glossary',
  '/levels',
  '/account/enter',
]

export type Document = {
  /** Precedes the name of the site. */
  readonly title: string
  /** Its section, marked in the navigation. */
  readonly path: string
  readonly main: Html
  /** True when one of its scripts creates its main element. */
  readonly hasOwnMain?: boolean
  /** Additional styles and scripts. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
  readonly share?: Shared
  /** Seconds after which a browser without scripts reloads it. */
  readonly renewedAfterSeconds?: number
}

/** Size of the preview picture of a page. */
export const SHARE_WIDTH = 1200
export const SHARE_HEIGHT = 630

/** Preview of a page where its address is shared. */
export type Shared = {
  /** One sentence. */
  readonly description: string
  /** Public address of the server; null: not configured, and no absolute addresses are given. */
  readonly publicUrl: string | null
  /** Paths of the page and of its picture, with the leading slash. */
  readonly path: string
  readonly picture: string
}

/** Metadata for link previews: Open Graph, and the cards of X. */
function shareTags(title: string, { description, publicUrl, path, picture }: Shared): Html {
  const image = `${publicUrl}${picture}`
  const tags: readonly (readonly [string, string | number])[] = [
    ...([
      ['og:type', 'article'],
      ['og:site_name', 'Tapefold'],
      ['og:title', title],
    ] as const),
    ['og:description', description],
    ...(publicUrl === null
      ? []
      : ([
          ['og:url', `${publicUrl}${path}`],
          ['og:image', image],
          ['og:image:type', 'image/png'],
          ['og:image:width', SHARE_WIDTH],
          ['og:image:height', SHARE_HEIGHT],
          ['og:image:alt', description],
        ] as const)),
  ]
  const card: readonly (readonly [string, string])[] = [
    ['twitter:card', publicUrl === null ? 'summary' : 'summary_large_image'],
    ...([
      ['twitter:title', title],
      ['twitter:description', description],
    ] as const),
    ...(publicUrl === null ? [] : ([['twitter:image', image]] as const)),
  ]
  return html`<meta name="description" content="${description}">
${publicUrl !== null && html`<link rel="canonical" href="${publicUrl}${path}">\n`}${tags.map(
  ([name, content]) => html`<meta property="${name}" content="${content}">\n`,
)}${card.map(([name, content]) => html`<meta name="${name}" content="${content}">\n`)}`
}

/** A whole page. */
export function renderPage(page: Document): string {
  const { title, path, main, hasOwnMain = false, styles = [], scripts = [], share } = page
  const { renewedAfterSeconds } = page
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === '' ? 'Tapefold' : `${title} · Tapefold`}</title>
<link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('site.css')}">
${share && shareTags(title, share)}
${
  renewedAfterSeconds !== undefined &&
  html`<noscript><meta http-equiv="refresh" content="${renewedAfterSeconds}"></noscript>\n`
}${styles.map(style => html`<link rel="stylesheet" href="${style}">\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="bar">
<a class="brand" href="/">Tapefold</a>
<nav aria-label="Site"><ul>
${NAVIGATION.filter(one => one.path !== '/').map(one => navigationItem(one, path))}</ul></nav>
</div>
</header>
${
  hasOwnMain
    ? html`<div id="main" tabindex="-1">\n${main}\n</div>`
    : html`<main id="main" tabindex="-1">\n${main}\n</main>`
}
<footer class="bottom">
<div class="bar">
<p>Rebuilt from public trade reports: estimates, with their error bars. No advice.</p>
<p><a href="/glossary">Glossary</a> <a href="/openapi.json">openapi.json</a></p>
</div>
</footer>
${scripts.map(script => html`<script src="${script}" defer></script>\n`)}</body>
</html>
`.toString()
}

function navigationItem({ path, name }: (typeof NAVIGATION)[number], at: string): Html {
  const isHere = at === path || at.startsWith(`${path}/`)
  return html`<li><a href="${path}"${isHere && html` aria-current="page"`}>${name}</a></li>
`
}
