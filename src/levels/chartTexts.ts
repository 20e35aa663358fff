import type { SessionDate } from '../core/market/calendar.ts'
import { type ChartLine, formatPrice, LOOKS, listLines, type Succeeded } from './levelsText.ts'

/** Levels of one symbol as files of Sierra Chart and thinkorswim. */

/**
 * Rows of the importers of price levels for Sierra Chart: price, second price (0: a line, else a
 * rectangle), note, colour, line style (0 solid, 1 dash), line width, alignment of the text (2:
 * right). Every cell is quoted and none is empty, as these importers pass over empty ones.
 */
export function sierraText(one: Succeeded): string {
  const row = (low: string, high: string, { name, kind }: ChartLine) => [
    low,
    high,
    name,
    LOOKS[kind].sierra,
    kind === 'range' ? '1' : '0',
    kind === 'gex' ? '1' : '2',
    '2',
  ]
  return listLines(one)
    .map(line => {
      const [low, high] = [line.low, line.high].map(price => formatPrice(price, one))
      return row(low!, line.low === line.high ? '0' : high!, line)
    })
    .map(cells => `${cells.map(cell => `"${cell}"`).join(',')}\n`)
    .join('')
}

/**
 * A study of thinkorswim with the levels in it, as thinkScript reads neither files nor the network.
 * `day` and `minute`: as-of day and minute (ET) of the levels.
 */
export function thinkscriptText(
  one: Succeeded,
  { day, minute }: { readonly day: SessionDate; readonly minute: string | null },
): string {
  const at = minute === null ? day : `${day} ${minute} ET`
  const lines = listLines(one)
  return `${[
    `# Tapefold levels of ${one.wire.sym}, known at ${at}. Estimates; no advice.`,
    'declare upper;',
    'input show_names = yes;',
    'def is_last_bar = !IsNaN(close) and IsNaN(close[-1]);',
    ...lines.flatMap(line => listStatements(line, one)),
    ...(lines.length === 0 ? ['# no level is known'] : []),
  ].join('\n')}\n`
}

function listStatements(line: ChartLine, one: Succeeded): string[] {
  const { name, kind, low, high } = line
  const color = `Color.${LOOKS[kind].think}`
  const title = name.replaceAll(/ ?\b(\w)/g, (_, first: string) => first.toUpperCase())
  const plot = (plotName: string, price: number) => [
    `plot ${plotName} = ${formatPrice(price, one)};`,
    `${plotName}.SetDefaultColor(${color});`,
    `${plotName}.SetStyle(Curve.${kind === 'range' ? 'SHORT_DASH' : 'FIRM'});`,
    `${plotName}.HideBubble();`,
  ]
  const bubble = `AddChartBubble(show_names and is_last_bar, ${formatPrice(high, one)}, "${name}", ${color}, yes);`
  if (low === high) return [...plot(title, low), bubble]
  const [lower, upper] = [`${title}Low`, `${title}High`]
  const cloud = `AddCloud(${lower}, ${upper}, ${color}, ${color});`
  return [...plot(lower, low), ...plot(upper, high), cloud, bubble]
}
