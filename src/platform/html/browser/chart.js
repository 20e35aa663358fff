import { NAMES } from './facts.js'
import { make } from './texts.js'

/** @typedef {import('./facts.js').Facts} Facts */
/** @typedef {typeof import('uplot')} UPlot */

const HEIGHT = 320

/**
 * Opens the chart of the levels over the picture drawn by the server; null without one.
 * @param {Facts} facts
 * @param {(index: number) => void} onChosen
 * @param {AbortSignal} signal
 */
export function openChart(facts, onChosen, signal) {
  const figure = document.getElementById('levels-figure')
  const picture = document.getElementById('levels-picture')
  const { uPlot } = /** @type {{ uPlot?: UPlot }} */ (/** @type {unknown} */ (window))
  if (!figure || !picture || !uPlot) return null
  const box = make('div', { class: 'chart', 'aria-hidden': 'true' })
  const line = make('div', { class: 'chart-mark' })
  figure.append(box)
  picture.classList.add('drawn')
  /** @type {import('uplot') | null} */
  let chart = null
  let at = 0
  const move = () => {
    if (!chart) return
    const { min = 0, max = 0 } = chart.scales.x ?? {}
    line.hidden = at < min || at > max
    if (!line.hidden) line.style.transform = `translateX(${chart.valToPos(at, 'x')}px)`
  }
  const draw = () => {
    chart?.destroy()
    const options = {
      ...chartOptions(uPlot, facts, figure),
      width: figure.clientWidth,
      height: HEIGHT,
    }
    const drawClear = [drawBackground(facts, figure), readReleases(figure)]
    const hooks = { drawClear, setSize: [move], setScale: [move] }
    const drawn = new uPlot({ ...options, hooks }, toChartData(facts), box)
    chart = drawn
    drawn.over.append(line)
    move()
    drawn.over.addEventListener('click', () => {
      if (typeof drawn.cursor.idx === 'number') onChosen(drawn.cursor.idx)
    })
  }
  draw()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw, { signal })
  const resizes = new ResizeObserver(() => {
    const width = figure.clientWidth
    if (chart && width !== chart.width) chart.setSize({ width, height: HEIGHT })
  })
  resizes.observe(figure)
  signal.addEventListener('abort', () => {
    resizes.disconnect()
    chart?.destroy()
  })
  return {
    /** @param {number} index */
    mark: index => {
      at = index
      move()
    },
  }
}

/** @param {Element} page */
const readColours = page => {
  const style = getComputedStyle(page)
  /** @param {string} name */
  return name => style.getPropertyValue(name).trim()
}

/** @param {Facts} facts @returns {import('uplot').AlignedData} */
const toChartData = ({ minutes, column, ends }) => [
  minutes.map((_, index) => index),
  ...[0, 1].map(side => ends.map(end => end[side] ?? null)),
  ...['call_wall', 'put_wall', 'flip', 'spot'].map(column),
]

/**
 * @param {UPlot} uPlot
 * @param {Facts} facts
 * @param {Element} page
 * @returns {Omit<import('uplot').Options, 'width' | 'height'>}
 */
function chartOptions(uPlot, { minutes, column, ends }, page) {
  const colour = readColours(page)
  const lists = [column('spot'), column('flip'), ...ends]
  const known = lists.flat().filter(value => value !== null)
  const air = Math.max(2, 0.04 * (Math.max(...known) - Math.min(...known)))
  const [low, high] = [Math.min(...known) - air, Math.max(...known) + air]
  const paths = uPlot.paths.stepped?.({ align: 1 })
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 } }
  /** @param {string} name @param {Partial<import('uplot').Series>} more */
  const stroke = (name, more) => ({
    stroke: colour(name),
    width: 1.5,
    points: { show: false },
    ...more,
  })
  return {
    legend: { show: false },
    padding: [8, 22, 0, 0],
    scales: { x: { time: false }, y: { range: () => [low, high] } },
    axes: [
      {
        ...axis,
        size: 32,
        incrs: [5, 15, 30, 60, 120],
        splits: (_u, _axis, min, max, every) =>
          minutes.flatMap((minute, index) =>
            index >= min && index <= max && parseMinutes(minute) % every === 0 ? [index] : [],
          ),
        values: (_u, list) => list.map(index => minutes[index] ?? ''),
      },
      { ...axis, size: 56, values: (_, list) => list.map(value => value.toLocaleString('en-US')) },
    ],
    series: [
      {},
      stroke('--flip', { width: 0 }),
      stroke('--flip', { width: 0 }),
      stroke('--wall-call', { dash: [2, 4], ...(paths && { paths }) }),
      stroke('--wall-put', { dash: [8, 4, 2, 4], ...(paths && { paths }) }),
      stroke('--flip', { width: 2, dash: [6, 4] }),
      stroke('--text', { width: 2 }),
    ],
    bands: [{ series: [2, 1], fill: colour('--band') }],
    cursor: { drag: { x: true, y: false }, points: { show: false } },
  }
}

/** @param {string} minute */
const parseMinutes = minute => 60 * Number(minute.slice(0, 2)) + Number(minute.slice(3))

/**
 * Hatches the minutes whose regime is negative; it has no sign while the dealers are unknown.
 * @param {Facts} facts
 * @param {Element} page
 */
function drawBackground({ minutes, rows }, page) {
  const regimeIndex = NAMES.indexOf('regime')
  /** @param {import('uplot')} chart */
  return chart => {
    const { left, top, width, height } = chart.bbox
    const context = chart.ctx
    context.save()
    context.beginPath()
    context.rect(left, top, width, height)
    context.clip()
    context.strokeStyle = readColours(page)('--hatch')
    /** @type {number | null} */
    let start = null
    for (let index = 0; index <= minutes.length; index++) {
      const isOn = rows[index]?.[regimeIndex]?.startsWith('negative') ?? false
      if (isOn) start ??= index
      else if (start !== null) {
        const x = chart.valToPos(start - 0.5, 'x', true)
        hatch(context, { left: x, top, width: chart.valToPos(index - 0.5, 'x', true) - x, height })
        start = null
      }
    }
    context.restore()
  }
}

/**
 * Draws a dotted line at each minute with a release, as in the picture below.
 * @param {HTMLElement} figure
 */
function readReleases(figure) {
  const indexes = (figure.dataset.releases ?? '').split(' ').filter(Boolean).map(Number)
  /** @param {import('uplot')} chart */
  return chart => {
    const { left, top, width, height } = chart.bbox
    const context = chart.ctx
    context.save()
    context.strokeStyle = readColours(figure)('--text')
    context.setLineDash([2, 4].map(length => length * devicePixelRatio))
    context.beginPath()
    for (const index of indexes) {
      const x = chart.valToPos(index, 'x', true)
      if (x < left || x > left + width) continue
      context.moveTo(x, top)
      context.lineTo(x, top + height)
    }
    context.stroke()
    context.restore()
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ left: number, top: number, width: number, height: number }} box
 */
function hatch(context, { left, top, width, height }) {
  context.save()
  context.beginPath()
  context.rect(left, top, width, height)
  context.clip()
  context.beginPath()
  for (let x = left - height; x < left + width; x += 8 * devicePixelRatio) {
    context.moveTo(x, top + height)
    context.lineTo(x + height, top)
  }
  context.stroke()
  context.restore()
}
