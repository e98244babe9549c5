PATH=None
def render(): return ""
