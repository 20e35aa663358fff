// Runs in a page before its own scripts: records the texts that are drawn on each canvas.

/** @typedef {{ text: string, box: Box }} Drawn */
/** @typedef {Window & { canvasTexts?: (canvas: HTMLCanvasElement) => readonly Drawn[] }} Recording */

;(() => {
  /** @type {WeakMap<HTMLCanvasElement, Drawn[]>} */
  const drawn = new WeakMap()
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype

  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const { canvas } = this
    const measured = this.measureText(text)
    const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = measured
    const { actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = measured
    const matrix = this.getTransform()
    const corners = [x - left, x + right].flatMap(across =>
      [y - ascent, y + descent].map(down => matrix.transformPoint({ x: across, y: down })),
    )
    const [xs, ys] = [corners.map(corner => corner.x), corners.map(corner => corner.y)]
    const box = {
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    }
    drawn.set(canvas, [...(drawn.get(canvas) ?? []), { text, box }])
    return fillText.call(this, text, x, y, ...rest)
  }
  // a chart clears its whole canvas before it redraws
  CanvasRenderingContext2D.prototype.clearRect = function (...place) {
    drawn.delete(this.canvas)
    return clearRect.apply(this, place)
  }
  const recording = /** @type {Recording} */ (window)
  recording.canvasTexts = canvas => drawn.get(canvas) ?? []
})()
