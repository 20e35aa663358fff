import type { SessionRelease } from '../geo/ask.ts'
import { EMPTY, type Html, html } from '../platform/html/template.ts'

/** Releases during a session: marks in its chart, and a list below. */

type Releases = readonly SessionRelease[] | null

/** Indexes of the minutes with a release, each once. */
export const findReleaseIndexes = (minutes: readonly string[], releases: Releases): number[] => {
  const indexes = (releases ?? []).map(({ minute }) => minutes.indexOf(minute ?? ''))
  return [...new Set(indexes)].filter(index => index >= 0)
}

/** List of releases with their times; marks those outside of the chart. */
export function releaseList(minutes: readonly string[], releases: Releases): Html {
  if (releases === null) return html`<p class="quiet small">Releases cannot be read now.</p>`
  if (releases.length === 0) return EMPTY
  return html`<section class="releases" aria-label="Releases"><p class="small">Dotted: statistics
that came out, New York time${
    releases.some(one => one.simulated) &&
    html`
<span class="mark-simulated">SIMULATED</span>`
  }</p>
<ul class="small">${releases.map(
    ({ label, country, time, known_at, minute, url }) =>
      html`<li><time datetime="${known_at}">${time}</time> ${country} ${
        url === null ? label : html`<a href="${url}" rel="noreferrer">${label}</a>`
      }${(minute === null || !minutes.includes(minute)) && ', not in the chart'}</li>`,
  )}</ul></section>`
}
