// A result as a page: every figure of it, in the words of people, and no text of anybody as markup.

import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import { resultPage, type ShownResult } from '../../../src/lab/page/resultPage.ts'
import { variantsPage } from '../../../src/lab/page/resultPages.ts'
import type { LabResult } from '../../../src/lab/result.ts'
import { assetPages, assetPath } from '../../../src/platform/html/assets.ts'
import { GLOSSARY } from '../../../src/platform/html/glossary.ts'
import { renderPage } from '../../../src/platform/html/layout.ts'
import { type MadeResult, madeResult } from '../../support/labResults.ts'

const MARKUP = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
const findShown = (result: LabResult, name = 'Sell 10-wide put spread, 10:00'): ShownResult => ({
  name,
  result,
  ideaPath: '/account/lab/ideas/i_1',
  isOfNow: true,
  path: `/account/lab/ideas/i_1/${result.kind}`,
})
type Result = ReturnType<typeof resultPage>
const findHtml = (response: Result) => {
  if (response === null || !('page' in response)) throw new Error('no page')
  return renderPage({ ...response.page, path: '/account' })
}
const page = (made: MadeResult = {}) => findHtml(resultPage(findShown(madeResult(made))))
const findText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
type AssetName = Parameters<typeof assetPath>[0]
const findSent = (name: AssetName) => {
  const form = assetPages()[assetPath(name)]!().form(undefined)
  if (form instanceof Promise) throw new Error('a plain file is there at once')
  return form.bytes
}
const count = (html: string, part: string) => html.split(part).length - 1

test('the verdict and its gates stand before anything that can look good', () => {
  const html = page()
  const indexes = [
    'class="gates"',
    'class="equity"',
    'Spread of the trades',
    '>Eras',
    '>Placebo',
  ].map(part => html.indexOf(part))
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b))
  expect(indexes[0]).toBeGreaterThan(0)
  const text = findText(html)
  expect(text).toContain('1 of 4 gates is passed')
  expect(text).toContain('passed mean profit : 4.2 %, needed: above 0')
  expect(text).toContain('failed placebo : 0.310, needed: at most 0.0125')
  expect(text).toContain('failed days with a trade : –, needed: at least 20')
})

test('figures that are null are dashes with their reason', () => {
  expect(findText(page({ kind: 'quant' }))).toMatch(/PBO\) – 48 sessions; 64 are needed/)
  expect(findText(page())).toMatch(/trades that count .* – 12 days; 20 are needed/)
})

test('a result reads without a statistician, and says how small an effect could be seen', () => {
  const text = findText(page())
  expect(text).toMatch(/average win \$310 average loss −\$280 .*largest loss −\$423/)
  expect(text).toContain('seen in 4 of 5 cases; to see 4.5% you need 240 sessions.')
  expect(text).toMatch(/How trades ended .* profit taken 40 20\.0 % 100 % \$4,000/)
  expect(text).toContain('2026-01 12 1.0 % 50 % $12')
  const two = findText(page({ legs: 2 }))
  expect(two).toMatch(/profit factor – 0 losing trades; 1 is needed/)
})

test('a kind, a number of legs and of sessions each make a page with every part once', () => {
  for (const kind of ['backtest', 'quant', 'struct'] as const) {
    for (const legs of [1, 2]) {
      for (const sessions of [1, 2, 119, 120, 474]) {
        const html = page({ kind, legs, sessions, seed: sessions })
        expect(count(html, 'class="equity"')).toBe(legs)
        expect(count(html, 'class="gates"')).toBe(kind === 'struct' ? 0 : legs)
        expect(count(html, 'id="variants"')).toBe(kind === 'quant' ? 1 : 0)
        expect(count(html, 'data-sealed=')).toBe(sessions < 120 || kind === 'struct' ? 0 : legs)
        const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/)
      }
    }
  }
})

test('each session is a row next to the picture, and the sealed ones are shaded', () => {
  const result = madeResult({ sessions: 300 })
  const html = findHtml(resultPage(findShown(result)))
  for (const day of result.legs[0]!.series.day) expect(html).toContain(`<td>${day}</td>`)
  // the newest fifth of 300
  expect(html).toContain('data-sealed="240"')
  expect(html).toMatch(/class="sealed" x="80\.1%" y="0" height="100%"\s+width="19\.9%"/)
  expect(findText(html)).toContain(`Shaded: the holdout`)
})

test('a heat map has a cell for each pair, frames the rule, and says the same as a table', () => {
  const result = madeResult({ kind: 'quant', axes: 4 })
  const { planes, axes } = result.optimize!
  const html = findHtml(resultPage(findShown(result)))
  const figures = html.split('<figure class="heat">').slice(1)
  expect(figures).toHaveLength(planes.length)
  for (const [index, { x, y, mean, n }] of planes.entries()) {
    const [picture, table] = figures[index]!.split('<details>')
    const cells = axes[x]!.values.length * axes[y]!.values.length
    expect(count(picture!, 'class="heat-cell"')).toBe(cells)
    expect(count(picture!, 'class="own"')).toBe(1)
    const losses = mean.flat().filter(value => value !== null && value < 0).length
    expect(count(picture!, 'url(#hatch-wide)')).toBe(losses)
    expect(count(picture!, 'url(#dots)')).toBe(mean.flat().filter(one => one === null).length)
    const shown = [...table!.matchAll(/>n (\d+)</g)].map(([, text]) => Number(text))
    expect(shown).toEqual(n.flat())
  }
})

test('every variant is listed once, in the order of parameters, and none is called best', () => {
  const result = madeResult({ kind: 'quant', axes: 4 })
  const { variants } = result.optimize!
  const of = findShown(result)
  const pages = [1, 2].map(number => findHtml(variantsPage(of, number)))
  const rows = pages.flatMap(html => html.split('<tbody>')[1]!.match(/<tr>/g)!)
  expect(rows).toHaveLength(variants.length)
  expect(variantsPage(of, 3)).toBeNull()
  expect(count(pages.join(''), 'the rule:')).toBe(1)
  expect(findText(pages.join(' '))).not.toMatch(/\b(best|winner|top|rank)/i)
  expect(variantsPage(findShown(madeResult()), 1)).toBeNull()
})

test('days that were left out are named with their reason', () => {
  const result = madeResult()
  const text = findText(findHtml(resultPage(findShown(result))))
  expect(text).toContain('9 trading days left out')
  expect(text).toContain('its tape is bad: 2026-10-05')
  for (const { day } of result.data.left_out) expect(text).toContain(day)
})

test('attempts, assumptions and what the result does not prove are stated', () => {
  const text = findText(page())
  expect(text).toMatch(/trials 451 902/)
  expect(text).toMatch(/looks at the holdout 2 4/)
  expect(text).toContain('100 % of the half spread paid on each option, $1.30 a contract and side')
  expect(text).toContain('These sessions are simulated: no real trade is in them.')
  expect(text).toContain('The past is one run of the market.')
})

test('a page of 474 sessions and all variants is within the budget of the site', () => {
  // as what is made for one visitor is compressed
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  const size = (text: string) => brotliCompressSync(text, { params }).byteLength / 1024
  for (const kind of ['backtest', 'quant'] as const) {
    expect(size(page({ kind, sessions: 474, legs: 2, axes: 4 }))).toBeLessThan(45)
  }
  const listBytes = (name: AssetName) => size(Buffer.from(findSent(name)).toString())
  expect(listBytes('lab.js')).toBeLessThan(35)
  expect(listBytes('site.css') + listBytes('lab.css') + listBytes('uplot.css')).toBeLessThan(8)
})

test('no text of a result or of an idea is markup', () => {
  const result = madeResult({ kind: 'quant', legs: 2, say: MARKUP })
  const hostile: LabResult = {
    ...result,
    says: [MARKUP],
    legs: result.legs.map(leg => ({
      ...leg,
      title: MARKUP,
      verdict: {
        ...leg.verdict!,
        sentence: MARKUP,
        gates: [{ gate: MARKUP, value: 1, need: MARKUP, ok: true, says: MARKUP }],
      },
      eras: {
        ...leg.eras,
        all: { ...leg.eras.all, missed: { [MARKUP]: 1 }, reasons: { n: MARKUP } },
      },
    })),
    sensitivity: [{ changed: MARKUP, leg: 0, n: 1, mean: 0, t: null }],
    optimize: {
      ...result.optimize!,
      says: [MARKUP],
      axes: result.optimize!.axes.map(axis => ({ ...axis, label: MARKUP, unit: MARKUP })),
    },
  }
  const of = findShown(hostile, MARKUP)
  for (const html of [findHtml(resultPage(of)), findHtml(variantsPage(of, 1))]) {
    expect(html).not.toMatch(/<(script(?! src="\/assets)|img)\b/)
    expect(html).toContain('&lt;script&gt;')
  }
})

test('words of the trade are dotted once a page, and each leads to the glossary', () => {
  const html = page({ kind: 'quant', legs: 2 })
  const dotted = [...html.matchAll(/href="\/glossary#([^"]+)"/g)].map(([, anchor]) => anchor!)
  expect(new Set(dotted).size).toBe(dotted.length)
  const words = GLOSSARY.map(([word]) => word.replaceAll(' ', '-') as string)
  expect(dotted.filter(one => !words.includes(one))).toEqual([])
  for (const word of [
    'gate',
    'holdout',
    'baseline',
    'placebo',
    'drawdown',
    't',
    'variant',
    'look',
  ]) {
    expect(dotted).toContain(word)
  }
})
