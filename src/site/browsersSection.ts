import { type AccountSection, accountForm } from '../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { renderTable } from '../platform/html/table.ts'
import { html } from '../platform/html/template.ts'
import { renderTime } from '../platform/html/time.ts'
import { ApiError } from '../platform/http/error.ts'
import type { AccountDeps } from './accountDeps.ts'

/** Signed-in browsers, each with a button to sign it out. */
export const browsersSection = ({ accounts }: AccountDeps): AccountSection => ({
  name: 'browsers',
  title: 'Signed-in browsers',
  draw: async request => {
    const { account, atMs, signInId } = request
    const signIns = await accounts.listSignIns(account.id, atMs)
    return html`${renderTable({
      caption: 'Browsers that are signed in; times in New York',
      columns: ['browser', 'signed in', 'last used', ''].map(head => ({
        head: head === '' ? html`<span class="hidden">sign out</span>` : head,
      })),
      rows: signIns.map(({ id, browser, createdAtMs, lastSeenAtMs }) => [
        id === signInId ? html`${browser} <span class="quiet">(this one)</span>` : browser,
        renderTime(createdAtMs),
        renderTime(lastSeenAtMs),
        accountForm(
          request,
          'browsers/end',
          html`<input type="hidden" name="id" value="${id}">
<button class="plain small">Sign out<span class="hidden">
${browser}, last used ${renderTime(lastSeenAtMs)}</span></button>`,
        ),
      ]),
    })}
${accountForm(request, 'browsers/end-all', html`<button class="plain">Sign out everywhere</button>`)}
<p class="quiet small">A browser that is not used for 14 days is signed out by itself.</p>`
  },
  forms: {
    end: async ({ account, fields }) => {
      const id = fields.get('id') ?? ''
      const ended = await refuseWhileUnavailable(() => accounts.endSignIns(account.id, id))
      if (ended === 0) {
        throw new ApiError('not_found', {
          message: 'no such browser of this account is signed in.',
        })
      }
      return null
    },
    'end-all': async ({ account }) => {
      await refuseWhileUnavailable(() => accounts.endSignIns(account.id))
      return null
    },
  },
})
