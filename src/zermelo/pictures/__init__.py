"""Pictures of boards, of search trees and of numbers, as SVG."""
