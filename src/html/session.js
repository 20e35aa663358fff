// What a page of a session does in a browser: a chart with a cursor, and a scrubber that plays.
// Without it the page says the same: the numbers come from its own table.
;(() => {
  const page = document.getElementById('session')
  const table = document.querySelector('#minutes table')
  if (!page || !table) return
  const NAMES = ['minute', 'spot', 'flip', 'bar', 'call_wall', 'put_wall', 'net_gamma', 'regime']
  const rows = [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent))
  const minutes = rows.map(row => row[0])
  const last = minutes.length - 1
  const numberOf = text => {
    const value = Number(text.replaceAll(',', '').replace('−', '-'))
    return text === '–' || Number.isNaN(value) ? null : value
  }
  const column = name => rows.map(row => numberOf(row[NAMES.indexOf(name)]))
  const ends = rows.map(row => row[3].split(' to ').map(numberOf))
  const input = document.querySelector('#scrubber input')
  let at = Math.max(0, minutes.indexOf(input.value))
  let curves = null
  let asked = null
  let timer = null
  let chart = null
  let drawing = null

  let line = null
  const moveMarker = () => {
    if (!chart || !line) return
    const { min, max } = chart.scales.x
    line.hidden = at < min || at > max
    if (!line.hidden) line.style.transform = `translateX(${chart.valToPos(at, 'x')}px)`
  }

  // ---- the scrubber
  const make = (name, attributes, text = '') => {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    element.textContent = text
    return element
  }
  const play = make('button', { type: 'button', class: 'plain', id: 'play' }, 'Play')
  const range = make('input', {
    ...{ type: 'range', id: 'range', min: 0, max: last, step: 1, 'aria-label': 'Minute' },
  })
  document.querySelector('.scrubber').append(play, range)

  const said = document.getElementById('said')
  const sayAll = () => {
    const [minute, spot, flip, error, call, put, gamma, regime] = rows[at]
    const flipText = flip === '–' ? 'no flip' : `flip ${flip}, from ${error}`
    said.textContent = `${minute}: index ${spot}, ${flipText}, call wall ${call}, put wall ${put}, net gamma ${gamma} million a point, ${regime}.`
    range.setAttribute('aria-valuetext', `${minute}, index ${spot}, flip ${flip}`)
  }
  const cells = NAMES.map(name => document.querySelector(`#now dd[data-name="${name}"]`))

  const show = (place, { isSaid = true, isKept = true } = {}) => {
    at = Math.min(last, Math.max(0, place))
    for (const [index, cell] of cells.entries()) cell.textContent = rows[at][index]
    range.value = at
    input.value = minutes[at]
    const x = `${(100 * at) / Math.max(1, last)}%`
    for (const mark of document.querySelectorAll('.mark')) {
      mark.setAttribute('x1', x)
      mark.setAttribute('x2', x)
    }
    moveMarker()
    drawing ??= requestAnimationFrame(() => {
      drawing = null
      drawCurve()
    })
    if (isSaid) sayAll()
    else range.setAttribute('aria-valuetext', `${minutes[at]}, index ${rows[at][1]}`)
    if (isKept) keep()
  }
  let keeping = null
  const keep = () => {
    clearTimeout(keeping)
    // browsers refuse a hundred changes of the address in a few seconds
    keeping = setTimeout(() => {
      const address = new URL(location.href)
      address.searchParams.set('t', minutes[at])
      history.replaceState(null, '', address)
    }, 150)
  }

  // ---- the curve of the minute
  const load = () => {
    if (asked) return
    asked = fetch(page.dataset.curves)
      .then(answer => (answer.ok ? answer.json() : null))
      .then(answer => {
        curves = answer
        if (answer === null) throw new Error('no answer')
        drawCurve()
      })
      .catch(() => {
        // the next touch asks again
        asked = null
      })
  }
  const NS = 'http://www.w3.org/2000/svg'
  const drawCurve = () => {
    const picture = document.getElementById('curve-picture')
    if (!picture || !curves || curves.minutes[at] !== minutes[at]) return
    const { from, step, net } = curves
    const { limit, first, last: end } = picture.dataset
    const [low, high] = [Number(first), Number(end)]
    const count = high - low + 1
    const rects = []
    const lines = []
    for (let place = high; place >= low; place--) {
      const gamma = net[at][place]
      if (gamma === null || gamma === undefined) continue
      const width = 50 * Math.min(1, Math.abs(gamma) / Number(limit))
      const box = {
        x: `${gamma < 0 ? 50 - width : 50}%`,
        y: `${(100 * (high - place)) / count}%`,
        width: `${width}%`,
        height: `${85 / count}%`,
      }
      rects.push({ ...box, class: gamma < 0 ? 'below-3' : 'above-3' })
      if (gamma < 0) rects.push({ ...box, fill: 'url(#hatch)' })
      lines.push([(from + place * step).toLocaleString('en-US'), gammaText(gamma)])
    }
    document.getElementById('bars').replaceChildren(
      ...rects.map(attributes => {
        const rect = document.createElementNS(NS, 'rect')
        for (const [key, value] of Object.entries(attributes)) rect.setAttribute(key, value)
        return rect
      }),
    )
    lastLines = lines
    fillTable()
    document.getElementById('curve-minute').textContent = minutes[at]
    picture.setAttribute(
      'aria-label',
      `Net gamma over the index at ${minutes[at]}; the table below has each point.`,
    )
    const line = document.getElementById('curve-spot')
    const spot = numberOf(rows[at][1])
    line.setAttribute('visibility', spot === null ? 'hidden' : 'visible')
    if (spot !== null) {
      const y = `${(100 * (from + (high + 0.5) * step - spot)) / (count * step)}%`
      line.setAttribute('y1', y)
      line.setAttribute('y2', y)
    }
  }
  let lastLines = null
  const details = document.getElementById('curve-table')?.closest('details')
  const fillTable = () => {
    // what is closed is filled when it is opened
    if (!lastLines || !details.open) return
    document.querySelector('#curve-table tbody').replaceChildren(
      ...lastLines.map(texts => {
        const row = document.createElement('tr')
        row.append(...texts.map(text => make('td', { class: 'number' }, text)))
        return row
      }),
    )
  }
  details?.addEventListener('toggle', fillTable)
  const gammaText = value => {
    const size = Math.abs(value)
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    const text =
      size !== 0 && size < 0.01 ? value.toPrecision(2) : value.toLocaleString('en-US', digits)
    return text.replace('-', '−')
  }

  // ---- what moves it
  const touch = () => load()
  range.addEventListener('focus', touch)
  range.addEventListener('pointerdown', touch)
  range.addEventListener('input', () => {
    touch()
    show(Number(range.value))
  })
  range.addEventListener('keydown', event => {
    const steps = { PageUp: 15, PageDown: -15 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    touch()
    show(at + steps)
  })
  const stop = () => {
    clearInterval(timer)
    timer = null
    play.textContent = 'Play'
    sayAll()
  }
  play.addEventListener('click', () => {
    touch()
    if (timer) return stop()
    if (at === last) show(0)
    play.textContent = 'Stop'
    // a minute of the session each sixth of a second
    timer = setInterval(() => {
      show(at + 1, { isSaid: false })
      if (at === last) stop()
    }, 160)
  })
  document.querySelector('form.minute').addEventListener('submit', event => {
    const place = minutes.indexOf(input.value)
    // the server says what is wrong with a minute that is not there
    if (place < 0) return
    event.preventDefault()
    touch()
    show(place)
  })
  range.value = at
  range.setAttribute('aria-valuetext', `${minutes[at]}, index ${rows[at][1]}`)

  // ---- the chart
  const figure = document.getElementById('levels-figure')
  const picture = document.getElementById('levels-picture')
  if (!picture || !window.uPlot) return
  const box = make('div', { class: 'chart', 'aria-hidden': 'true' })
  const colour = name => getComputedStyle(page).getPropertyValue(name).trim()
  const places = minutes.map((_, index) => index)
  const spot = column('spot')
  const bounds = [spot, column('flip'), ends.map(end => end[0] ?? null), ends.map(end => end[1] ?? null)]
  const known = bounds.flat().filter(value => value !== null)
  const air = Math.max(2, 0.04 * (Math.max(...known) - Math.min(...known)))
  const [low, high] = [Math.min(...known) - air, Math.max(...known) + air]
  const gammas = column('net_gamma')

  const hatch = (context, left, top, width, height) => {
    context.save()
    context.beginPath()
    context.rect(left, top, width, height)
    context.clip()
    context.strokeStyle = colour('--hatch')
    context.beginPath()
    for (let x = left - height; x < left + width; x += 8 * devicePixelRatio) {
      context.moveTo(x, top + height)
      context.lineTo(x + height, top)
    }
    context.stroke()
    context.restore()
  }
  const ground = u => {
    const { left, top, width, height } = u.bbox
    u.ctx.save()
    u.ctx.beginPath()
    u.ctx.rect(left, top, width, height)
    u.ctx.clip()
    let start = null
    for (let index = 0; index <= minutes.length; index++) {
      const isOn = index < minutes.length && gammas[index] !== null && gammas[index] < 0
      if (isOn && start === null) start = index
      if (!isOn && start !== null) {
        const [x, end] = [start - 0.5, index - 0.5].map(place => u.valToPos(place, 'x', true))
        hatch(u.ctx, x, top, end - x, height)
        start = null
      }
    }
    u.ctx.restore()
  }
  const draw = () => {
    chart?.destroy()
    const stepped = uPlot.paths.stepped({ align: 1 })
    const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 } }
    const stroke = (name, more) => ({ stroke: colour(name), width: 1.5, points: { show: false }, ...more })
    chart = new uPlot(
      {
        width: figure.clientWidth,
        height: 320,
        legend: { show: false },
        padding: [8, 22, 0, 0],
        scales: { x: { time: false }, y: { range: () => [low, high] } },
        axes: [
          {
            ...axis,
            size: 32,
            incrs: [5, 15, 30, 60, 120],
            splits: (_u, _axis, min, max, every) =>
              places.filter(
                place => place >= min && place <= max && minutesOf(minutes[place]) % every === 0,
              ),
            values: (_u, list) => list.map(place => minutes[place]),
          },
          { ...axis, size: 56, values: (_, list) => list.map(value => value.toLocaleString('en-US')) },
        ],
        series: [
          {},
          stroke('--flip', { width: 0 }),
          stroke('--flip', { width: 0 }),
          stroke('--wall-call', { dash: [2, 4], paths: stepped }),
          stroke('--wall-put', { dash: [8, 4, 2, 4], paths: stepped }),
          stroke('--flip', { width: 2, dash: [6, 4] }),
          stroke('--text', { width: 2 }),
        ],
        bands: [{ series: [2, 1], fill: colour('--band') }],
        cursor: { drag: { x: true, y: false }, points: { show: false } },
        hooks: { drawClear: [ground], setSize: [() => moveMarker()], setScale: [() => moveMarker()] },
      },
      [
        ...[places, ends.map(end => end[0] ?? null), ends.map(end => end[1] ?? null)],
        ...[column('call_wall'), column('put_wall'), column('flip'), spot],
      ],
      box,
    )
    line = make('div', { class: 'chart-mark' })
    chart.over.append(line)
    moveMarker()
    chart.over.addEventListener('click', () => {
      touch()
      if (chart.cursor.idx !== null) show(chart.cursor.idx)
    })
  }
  const minutesOf = text => 60 * Number(text.slice(0, 2)) + Number(text.slice(3))
  figure.append(box)
  picture.setAttribute('class', 'picture drawn')
  draw()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  new ResizeObserver(() => {
    if (figure.clientWidth !== chart.width) chart.setSize({ width: figure.clientWidth, height: 320 })
  }).observe(figure)
})()
