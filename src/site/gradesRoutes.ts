import express, { type Router } from 'express'
import { createCachedPage, type Page, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { reading } from '../platform/http/request.ts'
import { HTML_TYPE } from '../platform/http/response.ts'
import { countPages, gradesPage } from './gradesPage.ts'
import { NO_ORDERS, readOrders } from './sessionQuery.ts'
import { notHere, type SiteAsks } from './sessionResponders.ts'

/** The page of grades, to be mounted at `/grades`; its pages are rendered once for a list. */
export function gradesRouter(asks: SiteAsks): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  let last: { readonly grades: object; readonly pages: Map<number, Page> } | null = null
  router.use((req, _res, next) => {
    next(req.originalUrl.split('?')[0]!.endsWith('/') ? notHere() : undefined)
  })
  router.all(
    '/',
    reading(async (req, res) => {
      const { page } = readOrders({ ...NO_ORDERS, page: readQuery(req, res, ['page']).page })
      const grades = asks.archive.readGrades()
      if (page > countPages(grades.sessions.length)) throw notHere()
      if (last?.grades !== grades) last = { grades, pages: new Map() }
      const { pages } = last
      const made = pages.get(page) ?? renderCached(gradesPage(grades, page))
      pages.set(page, made)
      return sendPage(req, res, made)
    }),
  )
  router.use(() => {
    throw notHere()
  })
  return router
}

const renderCached = (content: string): Page =>
  createCachedPage({ content, contentType: HTML_TYPE, headers: { 'cache-control': 'no-cache' } })
