// Draws the file that /api/v1/levels.txt?style=lines answers: the day, then rows of
// low high @opacity #colour "label". Save it in Documents/NinjaTrader 8/bin/Custom/Indicators and compile.
#region Using declarations
using System;
using System.Collections.Generic;
using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.IO;
using System.Text.RegularExpressions;
using System.Windows.Media;
using NinjaTrader.Gui;
using NinjaTrader.Gui.Tools;
using NinjaTrader.NinjaScript;
using NinjaTrader.NinjaScript.DrawingTools;
#endregion

namespace NinjaTrader.NinjaScript.Indicators
{
    public class TapefoldLevels : Indicator
    {
        private static readonly Regex Row = new Regex(
            @"^(\d+(?:\.\d+)?) (\d+(?:\.\d+)?) @(\d{1,3}) #(\w+) ""([^""]+)""$");

        private readonly List<string> tags = new List<string>();
        private DateTime readAt = DateTime.MinValue;

        protected override void OnStateChange()
        {
            if (State == State.SetDefaults)
            {
                Name = "TapefoldLevels";
                Description = "Levels of a file of Tapefold.";
                Calculate = Calculate.OnBarClose;
                IsOverlay = true;
                IsSuspendedWhileInactive = true;
                FilePath = "";
            }
        }

        protected override void OnBarUpdate()
        {
            if (CurrentBar < Count - 2 || string.IsNullOrEmpty(FilePath) || !File.Exists(FilePath))
                return;
            DateTime writtenAt = File.GetLastWriteTimeUtc(FilePath);
            if (writtenAt == readAt)
                return;
            string[] rows;
            try
            {
                rows = File.ReadAllLines(FilePath);
            }
            catch (IOException)
            {
                return;
            }
            readAt = writtenAt;
            foreach (string tag in tags)
                RemoveDrawObject(tag);
            tags.Clear();
            if (rows.Length == 0)
                return;
            Draw.TextFixed(this, Add("day"), "Tapefold " + rows[0], TextPosition.BottomRight);
            for (int i = 1; i < rows.Length; i++)
                DrawRow(rows[i], i);
        }

        private void DrawRow(string text, int number)
        {
            Match match = Row.Match(text);
            if (!match.Success)
                return;
            double low = double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture);
            double high = double.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture);
            int opacity = int.Parse(match.Groups[3].Value, CultureInfo.InvariantCulture);
            Brush brush = (Brush)new BrushConverter().ConvertFromString(match.Groups[4].Value);
            string label = match.Groups[5].Value;
            if (low == high)
                Draw.HorizontalLine(this, Add("line" + number), low, brush);
            else
                Draw.RegionHighlightY(this, Add("band" + number), false, low, high, brush, brush, opacity);
            Draw.Text(this, Add("name" + number), label, 0, high, brush);
        }

        private string Add(string name)
        {
            string tag = "tapefold-" + name;
            tags.Add(tag);
            return tag;
        }

        [NinjaScriptProperty]
        [Display(Name = "File", Description = "The answer of levels.txt?style=lines", Order = 1, GroupName = "Parameters")]
        public string FilePath { get; set; }
    }
}
