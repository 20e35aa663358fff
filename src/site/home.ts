import { term } from '../html/glossary.ts'
import { pageOf } from '../html/layout.ts'
import { type Html, html } from '../html/template.ts'
import type { DataState } from '../http/area.ts'

/** The first page: what this is, and how the data stand today. */
export const homePage = (state: DataState | null): string =>
  pageOf({
    title: '',
    path: '/',
    main: html`<div class="text">
<h1>Every large SPX options order, rebuilt from the tape</h1>
<p class="lead">Tapefold puts the ${term('print', 'prints')} of a ${term('session')} together into
the ${term('order', 'orders')} that customers sent. It estimates what each did to the
${term('gamma')} of the dealers, and where the index stood from the ${term('flip')} at that minute.
Every estimate says how sure it is, and <a href="/accuracy">how often such estimates are right</a>
is measured.</p>
${state && stateNow(state)}
<ul class="cards">
<li class="card"><h2><a href="/methodology">How it works</a></h2>
<p>How prints become orders, how the side is told, and what an estimate cannot say.</p></li>
<li class="card"><h2><a href="/docs">API</a></h2>
<p>Every operation, to read and to try. For machines:
<a href="/openapi.json">openapi.json</a>.</p></li>
<li class="card"><h2><a href="/pricing">Plans and limits</a></h2>
<p>What each product opens, and how much of it.</p></li>
<li class="card"><h2><a href="/account">Account</a></h2>
<p>Make and revoke keys, and see how much of your limits is used.</p></li>
</ul>
<p>A call needs a ${term('key')}, in the header <code>Authorization: Bearer ordk_…</code>. The
<a href="/account">account page</a> makes one, and shows a call that works.</p>
</div>`,
  })

function stateNow({ status, newest, problems }: DataState): Html {
  const words = { green: 'as expected', amber: 'with gaps', red: 'not as expected' }
  const known =
    newest === null
      ? 'No session is published yet.'
      : html`The newest session is ${newest.day}, ${
          newest.isFinished
            ? 'finished'
            : html`known up to ${newest.lastMinute ?? 'no minute yet'}${newest.lastMinute && ' ET'}`
        }.`
  return html`<div class="note">
<p><span class="${status}">${status}</span> The data are ${words[status]}. ${known}
${problems.length > 0 && html`${sentenceOf(problems[0]!)} `}<a href="/status">More</a></p>
</div>`
}

const sentenceOf = (problem: string) => `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
