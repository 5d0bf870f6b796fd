"""Write the icons of the web app from icon.svg: ``python -m browser.icons`` in the tests' folder.

Systems cut a maskable icon and one for an Apple device to their own shape, so these have no corners
of their own, and the drawing keeps clear of the edge.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from browser.conftest import CHROMIUM

PUBLIC = Path(__file__).parent.parent.parent / "web" / "public"
GROUND = "#17604f"
# For each file: its size, and how much of it the drawing takes if it is to be cut to shape.
ICONS = {"192": (192, None), "512": (512, None), "maskable": (512, 0.72), "apple": (180, 0.82)}


def main() -> None:
    """Write all icons."""
    drawing = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    (PUBLIC / "icons").mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, (size, share) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            ground = GROUND if share else "transparent"
            page.set_content(
                f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center; "
                f"background: {ground} }} svg {{ width: {100 * (share or 1)}vw }}</style>{drawing}"
            )
            path = PUBLIC / "icons" / f"{name}.png"
            page.screenshot(path=path, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
