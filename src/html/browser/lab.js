import { openEquity } from './equity.js'
import { openProgress } from './progress.js'

/** What pages of LAB do in a browser. Without it they say the same. */

for (const figure of document.querySelectorAll('figure.equity')) {
  openEquity(/** @type {HTMLElement} */ (figure))
}
const job = document.getElementById('job')
if (job?.dataset.job) openProgress(job, job.dataset.job)
