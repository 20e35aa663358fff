import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import type { AccountStore } from '../accounts/types.ts'
import { GLOSSARY } from '../platform/html/glossary.ts'
import { createCachedPage, type Page } from '../platform/http/page.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { accountRouter } from './accountRoutes.ts'
import { chartScripts } from './chartScripts.ts'
import { datasetPages } from './datasetPages.ts'
import { documentPage } from './documents.ts'
import { glossaryPage } from './glossaryPage.ts'
import { gradesRouter } from './gradesRoutes.ts'
import { homePage } from './home.ts'
import { newestSession } from './newestSession.ts'
import { plansPage } from './plansPage.ts'
import type { SiteAsks } from './sessionResponders.ts'
import { sessionRouter } from './sessionRoutes.ts'
import { openSharePictures } from './share.ts'

/** Pages for people: about the service, and the account page. They draw data of the areas. */
export const SITE_AREA: Area<RequestScheduler, AccountStore, SiteAsks> = {
  name: 'site',
  product: null,
  tag: { name: 'Site', description: 'Pages for people.' },
  paths: {},
  methods: {},
  tables: [],
  open: openSite,
}

const HTML = 'text/html; charset=utf-8'
/** Revalidated before it is shown: its assets have other names after a release. */
const CACHING = { 'cache-control': 'no-cache' }

const cachedHtml = (content: string): Page =>
  createCachedPage({ content, contentType: HTML, headers: CACHING })

function openSite(deps: AreaDeps<RequestScheduler, AccountStore, SiteAsks>): OpenArea {
  const { asks, others } = deps
  const pictures = openSharePictures()
  const served = () => others().flatMap(({ area }) => area.product ?? [])
  return {
    routes: {},
    siteRoutes: {
      '/account': [accountRouter(deps)],
      '/grades': [gradesRouter(asks)],
      '/sessions': [sessionRouter({ ...deps, pictures })],
    },
    close: pictures.close,
    pages: {
      '/': remade(async () =>
        homePage(asks.status.readState(), await newestSession(asks), deps.publicUrl),
      ),
      '/pricing': once(() => cachedHtml(plansPage(served()))),
      '/glossary': once(() => cachedHtml(glossaryPage(GLOSSARY))),
      '/methodology': once(() => cachedHtml(documentPage('methodology'))),
      '/accuracy': once(() => cachedHtml(documentPage('accuracy'))),
      '/charts': once(() => cachedHtml(documentPage('charts'))),
      '/levels': once(() => cachedHtml(documentPage('levels'))),
      ...Object.fromEntries(
        Object.entries(datasetPages()).map(([path, render]) => [
          path,
          once(() => cachedHtml(render())),
        ]),
      ),
      ...chartScripts(),
    },
  }
}

function once(make: () => Page): () => Page {
  let made: Page | null = null
  return () => {
    made ??= make()
    return made
  }
}

/** A page that is compressed again only when its content changes. */
function remade(make: () => Promise<string>): () => Promise<Page> {
  let last: { readonly content: string; readonly page: Page } | null = null
  return async () => {
    const content = await make()
    if (last?.content !== content) last = { content, page: cachedHtml(content) }
    return last.page
  }
}
