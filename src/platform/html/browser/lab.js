import { openEquity } from './equity.js'
import { openProgress } from './progress.js'

/** Enhances the pages of LAB. They show the same without scripts. */

for (const figure of document.querySelectorAll('figure.equity')) {
  openEquity(/** @type {HTMLElement} */ (figure))
}
const job = document.getElementById('job')
if (job?.dataset.job) openProgress(job, job.dataset.job)
