import { make, parseNumber } from './texts.js'

/** @typedef {typeof import('uplot')} UPlot */
/** @typedef {import('uplot').Options} ChartOptions */
/** @typedef {(at: number | null | undefined) => void} OnIndex */

const MONEY_HEIGHT = 260
const FALL_HEIGHT = 120

/**
 * Draws the profit and the drawdown of a leg over the pictures of the server, from the table below
 * them.
 * @param {HTMLElement} figure
 */
export function openEquity(figure) {
  const { uPlot } = /** @type {{ uPlot?: UPlot }} */ (/** @type {unknown} */ (window))
  const rows = readTableRows(figure)
  if (!uPlot || rows.length < 2) return
  const sealed = Number(figure.dataset.sealed ?? rows.length)
  const readout = figure.querySelector('.readout')
  const box = make('div', { class: 'chart-pair', 'aria-hidden': 'true' })
  figure.prepend(box)
  for (const picture of figure.querySelectorAll('svg.picture')) picture.classList.add('drawn')
  const column = /** @param {number} at */ at =>
    rows.map(row => parseNumber((row[at] ?? '–').replace('$', '')))
  const indexes = rows.map((_, index) => index)
  /** @type {import('uplot')[]} */
  let charts = []
  const draw = () => {
    for (const chart of charts) chart.destroy()
    const shared = chartOptions(figure, { rows, sealed, onIndex })
    const colour = readColours(figure)
    const base = summed(column(5))
    const made = (
      /** @type {Partial<ChartOptions>} */ own,
      /** @type {(number | null)[][]} */ data,
    ) =>
      new uPlot(
        /** @type {ChartOptions} */ ({ ...shared, width: figure.clientWidth, ...own }),
        /** @type {import('uplot').AlignedData} */ ([indexes, ...data]),
        box,
      )
    const none = { points: { show: false } }
    charts = [
      made(
        {
          height: MONEY_HEIGHT,
          series: [
            {},
            { ...none, stroke: colour('--flip'), width: 2, dash: [6, 4] },
            { ...none, stroke: colour('--text'), width: 2 },
          ],
        },
        [base, column(3)],
      ),
      made(
        {
          height: FALL_HEIGHT,
          series: [
            {},
            {
              ...none,
              stroke: colour('--wall-put'),
              fill: colour('--fallen'),
              width: 1,
              fillTo: 0,
            },
          ],
        },
        [column(4).map(value => (value === null ? null : -value))],
      ),
    ]
  }
  const onIndex = (/** @type {number | null | undefined} */ at) => {
    const row = typeof at === 'number' ? rows[at] : undefined
    if (!readout) return
    readout.textContent = row ? `${row[0]}: ${row[3]} so far, ${row[4]} below its best.` : ''
  }
  draw()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  new ResizeObserver(() => {
    const width = figure.clientWidth
    for (const chart of charts) {
      if (width !== chart.width) chart.setSize({ width, height: chart.height })
    }
  }).observe(figure)
}

/** @param {HTMLElement} figure @returns {string[][]} */
function readTableRows(figure) {
  const table = figure.parentElement?.querySelector('table')
  const rows = table?.tBodies[0]?.rows ?? []
  return [...rows].map(row => [...row.cells].map(cell => (cell.textContent ?? '').trim()))
}

/** @param {Element} page */
const readColours = page => {
  const style = getComputedStyle(page)
  /** @param {string} name */
  return name => style.getPropertyValue(name).trim()
}

/** @param {(number | null)[]} values */
function summed(values) {
  let sum = 0
  return values.map(value => {
    sum += value ?? 0
    return sum
  })
}

/**
 * Options of both charts: one cursor, and the sealed sessions shaded.
 * @param {HTMLElement} figure
 * @param {{ rows: string[][], sealed: number, onIndex: OnIndex }} of
 * @returns {Partial<ChartOptions>}
 */
function chartOptions(figure, { rows, sealed, onIndex }) {
  const colour = readColours(figure)
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 } }
  return {
    legend: { show: false },
    padding: [8, BEHIND, 0, 0],
    scales: { x: { time: false } },
    axes: [
      {
        ...axis,
        size: 32,
        space: 90,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
        // a label that would be cut at the right is left out: the readout has every date
        values: (chart, list) =>
          list.map(index => (isCut(chart, index) ? '' : findDate(rows, index))),
      },
      { ...axis, size: AMOUNTS, values: (_u, list) => list.map(value => usdText(value)) },
    ],
    cursor: { sync: { key: figure.id }, drag: { x: true, y: false }, points: { show: false } },
    hooks: {
      drawClear: [shadeFrom(sealed, colour)],
      setCursor: [chart => onIndex(chart.cursor.idx)],
    },
  }
}

/** @param {string[][]} rows @param {number} index */
const findDate = (rows, index) => rows[index]?.[0] ?? ''

/** Pixels: half of a date; the axis of the amounts; the margin after the last session. */
const DATE_HALF = 38
const AMOUNTS = 70
const BEHIND = 8

/** @param {import('uplot')} chart @param {number} index */
function isCut(chart, index) {
  const { min = 0, max = 0 } = chart.scales.x ?? {}
  const share = (Number(max) - index) / (Number(max) - Number(min) || 1)
  return share * (chart.width - AMOUNTS - BEHIND) < DATE_HALF - BEHIND
}

/**
 * @param {number} sealed
 * @param {(name: string) => string} colour
 */
const shadeFrom = (sealed, colour) => (/** @type {import('uplot')} */ chart) => {
  const { left, top, width, height } = chart.bbox
  const from = Math.max(left, chart.valToPos(sealed - 0.5, 'x', true))
  if (from >= left + width) return
  chart.ctx.fillStyle = colour('--sealed')
  chart.ctx.fillRect(from, top, left + width - from, height)
}

/** @param {number} value */
const usdText = value => `${value < 0 ? '−' : ''}$${Math.abs(value).toLocaleString('en-US')}`
