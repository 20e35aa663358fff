import { type AccountRequest, type AccountSection, accountForm } from '../accounts/accountPage.ts'
import { renderPage } from '../platform/html/layout.ts'
import { type Html, html } from '../platform/html/template.ts'
import { isExpected } from '../platform/http/errors/catalogue.ts'
import { maskSecrets } from '../platform/http/mask.ts'
import type { AccountDeps } from './accountDeps.ts'
import { listSections } from './sections.ts'

export type AccountView = AccountRequest & {
  /** Notice of the form just sent, and the section it belongs to. */
  readonly notice: FormNotice | null
}

type FormNotice = { readonly section: string } & (
  | { readonly notice: Html }
  | { readonly refused: string }
)

/** Draws the account page; a section that fails to draw shows a notice, and the others remain. */
export function accountPage(deps: AccountDeps): (view: AccountView) => Promise<string> {
  return async view => {
    const drawn = await Promise.all(
      listSections(deps).map(async section => ({
        section,
        content: await drawSection(section, view),
      })),
    )
    const { account, notice } = view
    return renderPage({
      title: 'Account',
      path: '/account',
      main: html`<div class="text">
<div class="head">
<h1>${account.name}</h1>
${accountForm(view, 'sign-out', html`<button class="plain small">Sign out</button>`)}
</div>
<p class="quiet">Account <span class="mono">${account.id}</span></p>
${drawn.map(({ section, content }) => content && renderPart(section, content, notice))}
</div>`,
    })
  }

  async function drawSection(section: AccountSection, view: AccountView): Promise<Html | null> {
    try {
      return await section.draw(view)
    } catch (error) {
      if (isExpected(error)) return html`<p class="note bad">${error.message}</p>`
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
      deps.log.error({ section: section.name, err: maskSecrets(cause) }, 'cannot draw a section')
      return html`<p class="note bad">This part cannot be shown right now.</p>`
    }
  }
}

function renderPart(
  { name, title }: AccountSection,
  content: Html,
  notice: FormNotice | null,
): Html {
  return html`<section class="part" id="${name}" aria-labelledby="title-${name}">
<h2 id="title-${name}">${title}</h2>
${notice?.section === name && renderNotice(notice)}${content}
</section>
`
}

const renderNotice = (notice: FormNotice): Html =>
  'refused' in notice
    ? html`<div class="note bad" role="alert"><p>${notice.refused}</p></div>\n`
    : html`<div class="note good" role="status">${notice.notice}</div>\n`
