import PQueue from 'p-queue'
import {
  type AccountForm,
  type AccountSection,
  accountForm,
  type FormResponse,
} from '../../accounts/accountPage.ts'
import { findTradingSession, listMinutes, type SessionDate } from '../../core/market/calendar.ts'
import type { Catalog } from '../../data/published/catalog.ts'
import { levelsPicture, patterns } from '../../platform/html/levelsPicture.ts'
import { renderTable } from '../../platform/html/table.ts'
import { EMPTY, type Html, html } from '../../platform/html/template.ts'
import { orDamaged } from '../../platform/http/damaged.ts'
import { shown } from '../../platform/http/request.ts'
import type { SessionMinutes, StateRow } from '../finding/minutes.ts'
import { openMinutes } from '../finding/readMinutes.ts'
import { type Preview, type PreviewedEvent, previewDay } from '../preview.ts'
import { isLevelMinute } from '../rules/hours.ts'
import { toWords } from './fieldInput.ts'
import { type AlertSectionDeps, isNotified } from './sectionDeps.ts'

export type PreviewSectionDeps = AlertSectionDeps & {
  readonly dataFolder: string
  readonly catalog: Catalog
}

/** Previews that may wait for the running one; above it the request is refused. */
const WAITING_MAX = 8
/** Maximum number of events shown. */
const LISTED_MAX = 500

/** Section that lists the events which the current settings would have sent on a day. */
export function previewSection(deps: PreviewSectionDeps): AccountSection {
  // each preview uses one core and the memory of a session
  const queue = new PQueue({ concurrency: 1 })
  return {
    name: 'preview',
    title: 'What would have been told',
    draw: async request =>
      isNotified(request)
        ? html`<p>Which events of a day your alerts, lines and rules would have told you of, had all
of them been set before it. Nothing is sent. Positions are not among them.</p>
${accountForm(
  request,
  'preview/day',
  html`<div class="fields">
<label class="field"><span>Day</span>
<input name="day" type="date" required></label>
<button>Look at it</button>
</div>`,
)}`
        : null,
    forms: {
      day: async sent => {
        const day = (sent.fields.get('day') ?? '').trim()
        if (!findTradingSession(day)) {
          return { refused: `The day is ${shown(day)}; give a trading day, such as 2026-10-15.` }
        }
        if (queue.size >= WAITING_MAX) {
          return { refused: 'Many look at days just now; try again in a moment.' }
        }
        return queue.add(() => runPreview(deps, sent, day))
      },
    },
  }
}

async function runPreview(
  { accounts, catalog, dataFolder }: PreviewSectionDeps,
  { account, atMs }: AccountForm,
  day: string,
): Promise<FormResponse> {
  // an account without alerts has no form for it
  if (!isNotified({ account, atMs } as AccountForm)) {
    return { refused: 'This account is on no plan of the Orders API.' }
  }
  const reader = await openMinutes({ dataFolder, reportDamage: catalog.reportDamage })
  try {
    const preview = await previewDay({ catalog, reader, accounts }, { day, accountId: account.id })
    const found = catalog.find(day)
    const picture =
      found && preview.note === undefined
        ? previewPicture(await orDamaged(catalog, () => reader.read(found)), preview)
        : EMPTY
    return { notice: html`${picture}${renderPreview(preview)}` }
  } finally {
    reader.close()
  }
}

function renderPreview({ day, until, events, note, unknown }: Preview): Html {
  if (note !== undefined) return html`<p>${note}</p>`
  const count = events.length === 1 ? '1 event' : `${events.length} events`
  const more = events.length - LISTED_MAX
  return html`<p>${count} on <a href="/sessions/${day}">${day}</a> up to ${until} in New York.</p>
${unknown !== undefined && html`<p class="note">${unknown}</p>`}
${
  events.length > 0 &&
  renderTable({
    caption: `What would have been told on ${day}`,
    columns: ['minute', 'event', 'text'],
    rows: events
      .slice(0, LISTED_MAX)
      .map(({ t, type, text }) => [t, toWords(type), html`<span class="name">${text}</span>`]),
  })
}
${more > 0 && html`<p>${more} more are not listed.</p>`}`
}

/**
 * Chart of a day in the measured book, index points, with a mark at each minute that has an event.
 * Order events after the last state have no mark.
 */
function previewPicture(
  { findState }: Pick<SessionMinutes, 'findState'>,
  { day, events }: { readonly day: SessionDate; readonly events: readonly PreviewedEvent[] },
): Html {
  const minutes = listMinutes(findTradingSession(day)!)
    .map(({ minute }) => minute)
    .filter(minute => isLevelMinute(day, minute))
  const states = minutes.map(minute => findState(minute, 'measured'))
  const listValues = (name: 'spot' | 'flip' | 'flip_lo' | 'flip_hi' | 'call_wall' | 'put_wall') =>
    states.map(state => state?.[name] ?? null)
  const levels = {
    spot: listValues('spot'),
    flip: listValues('flip'),
    flip_lo: listValues('flip_lo'),
    flip_hi: listValues('flip_hi'),
    call_wall: listValues('call_wall'),
    put_wall: listValues('put_wall'),
    net_gamma: states.map((state: StateRow | null) => state?.net_gamma_musd_per_point ?? null),
  }
  const indexes = new Set(events.map(({ t }) => minutes.indexOf(t)).filter(index => index >= 0))
  return html`${patterns()}<figure>${levelsPicture(minutes, levels, [...indexes])}
<figcaption class="quiet">The index, the measured flip and walls; a dashed line at each minute that
tells something.</figcaption></figure>`
}
