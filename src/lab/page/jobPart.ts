import { countText } from '../../platform/html/figures.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabJob } from '../schema.ts'
import { KIND_NAMES } from './texts.ts'

/** Progress of a test; the page refreshes it, with or without scripts. */
export function jobPart(job: LabJob, path: string): Html {
  const { done, total } = job.progress
  return html`<div class="note" id="job" data-job="${path}/progress">
<p role="status"><span id="job-says">${describeProgress(job)}</span></p>
<progress aria-label="How far the test is" ${
    total > 0 && html`max="${total}" value="${done}"`
  }>${countText(done)} of ${countText(total)}</progress>
<noscript><p class="quiet small">This page loads itself anew until it is done.</p></noscript></div>`
}

/** Progress of a test, in words. */
export function describeProgress({ kind, state, progress }: LabJob): string {
  const name = KIND_NAMES[kind]
  if (state === 'queued') return `${name}: waits for its turn.`
  if (state === 'done') return `${name}: done.`
  if (state === 'failed') return `${name}: failed.`
  const { done, total } = progress
  return total > 0
    ? `${name}: ${countText(done)} of ${countText(total)} are done.`
    : `${name}: has begun.`
}
